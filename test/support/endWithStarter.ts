/**
 * Loaded first in the processes that `spawnHere.ts` starts: a process ends in order when the one that
 * started it has ended, however that ended. Processes that it forks inherit this file and the environment, but they have
 * another parent.
 */

if (process.env.TEST_STARTER === String(process.ppid)) {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  // The channel alone does not keep the process running.
  process.channel?.unref()
}
