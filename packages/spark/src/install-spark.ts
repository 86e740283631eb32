import { sendLoadedNotice } from './loaded-notice.ts'
import { keepWritesAlive } from './send-write.ts'
import { createSpark, type Spark } from './spark.ts'

declare global {
  interface Window {
    spark?: Spark
  }
}

/** Gives the page its `spark` and tells that it has loaded: once, however often it is included. */
export function installSpark(): void {
  if (window.spark !== undefined) return
  window.spark = createSpark()
  keepWritesAlive(window)
  sendLoadedNotice()
}
