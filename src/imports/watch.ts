import { parentPort, workerData } from 'node:worker_threads'

/**
 * A thread beside the reader of a file, which may be busy for ever. It ends the process when that takes too much memory,
 * buffers included, or too much time of the processor, or when the service is gone.
 */

const { megabytes, cpuMs, scanCpuMs, parent } = workerData as {
  megabytes: number
  cpuMs: number
  scanCpuMs: number
  parent: number
}
let mostCpuMs = cpuMs
// The reader has reported that the file is a scan.
parentPort!.once('message', () => {
  mostCpuMs = scanCpuMs
})
const everyMs = 50

setInterval(() => {
  const isFull = process.memoryUsage.rss() > megabytes * 1_048_576
  if (isFull || process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
  const { user, system } = process.cpuUsage()
  if (user + system > mostCpuMs * 1_000) process.kill(process.pid, 'SIGXCPU')
}, everyMs)
