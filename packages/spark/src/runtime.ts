/** The whole of /_spark/runtime.js, for pages that include it by a script element. */
import { installSpark } from './install-spark.ts'

installSpark()
