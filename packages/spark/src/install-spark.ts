import { sendLoadedNotice } from './loaded-notice.ts'
import { keepWritesAlive } from './send-write.ts'
import { createSpark, type Spark } from './spark.ts'

declare global {
  interface Window {
    spark?: Spark
  }
}

/**
 * Sets `window.spark` and sends the loaded notice. Only once, even if the script is included several times.
 */
export function installSpark(): void {
  if (window.spark !== undefined) return
  window.spark = createSpark()
  keepWritesAlive(window)
  sendLoadedNotice()
}
