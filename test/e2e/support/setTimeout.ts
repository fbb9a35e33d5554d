// A request to the real n8n takes longer than one to its engine.
jest.setTimeout(60_000);
