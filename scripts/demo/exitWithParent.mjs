// Preloaded into a process, so that it ends when its parent ends, even if the parent is killed.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
