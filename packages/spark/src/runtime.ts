/** The source of /_spark/runtime.js, for pages that include it as a script. */
import { installSpark } from './install-spark.ts'

installSpark()
