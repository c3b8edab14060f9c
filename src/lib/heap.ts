import { setFlagsFromString } from 'node:v8'

/**
 * Collect garbage when the heap has grown to twice what lives in it. V8 waits until it is up to four times as large: 50 MB
 * live during a rebuild, and the process took 380 MiB. It takes 290 MiB and the same time with this. Programs call it first.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=100')
}
