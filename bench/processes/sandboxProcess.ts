// Runs the sandbox in its own process, so that its CPU and memory are not measured.
import { handleRequests } from './ipc';
import { sandboxActions } from './sandboxActions';

handleRequests(sandboxActions());
