// Tests in a real n8n take longer than tests in its engine.
jest.setTimeout(60_000);
