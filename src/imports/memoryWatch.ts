import { workerData } from 'node:worker_threads'

/**
 * A thread beside the reader of a file, which may be busy for ever. It ends the process when that takes too much memory,
 * buffers included, or when the service is gone.
 */

const { megabytes, parent } = workerData as { megabytes: number; parent: number }
const everyMs = 50

setInterval(() => {
  const isFull = process.memoryUsage.rss() > megabytes * 1_048_576
  if (isFull || process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
}, everyMs)
