/** Builds the web app where something has changed since its last build: `npm run build`. */
import { hasBuildOf, noteBuildOf, hashOfInputs } from './build-inputs.ts'

const hash = await hashOfInputs()
// Vite alone takes longer to load than all of this.
if (!(await hasBuildOf(hash))) {
  const { buildWebApp } = await import('./build-web-app.ts')
  try {
    await buildWebApp()
    await noteBuildOf(hash)
  } catch (error) {
    // What is wrong with a setting is one line; what is wrong with the code needs its place.
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
    process.exitCode = 1
  }
}
