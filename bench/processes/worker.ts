// Measures one variant of a job. Arguments: job, variant, URL of the sandbox.
import { handleRequests } from './ipc';
import { workerActions } from './workerActions';

const [jobName = '', variant = '', url = ''] = process.argv.slice(2);
const actions = workerActions(jobName, variant, url);
handleRequests(actions);
process.on('exit', actions.close);
