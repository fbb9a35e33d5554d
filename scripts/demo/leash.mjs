// Loaded into a program ahead of its own code: when the one who started the program is gone, even
// by a kill that nobody can catch, the program ends as well.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
