/** Builds the web app if anything has changed since its last build: `npm run build`. */
import { hasBuildOf, noteBuildOf, hashOfInputs } from './build-inputs.ts'

const hash = await hashOfInputs()
// Import on demand, because loading Vite takes longer than this whole check.
if (!(await hasBuildOf(hash))) {
  const { buildWebApp } = await import('./build-web-app.ts')
  try {
    await buildWebApp()
    await noteBuildOf(hash)
  } catch (error) {
    // An error in a setting has a one-line stack; an error in the code needs its stack.
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
    process.exitCode = 1
  }
}
