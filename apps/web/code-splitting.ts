import { join } from 'node:path'

const sourceDir = join(import.meta.dirname, 'src')

/** What the bundler tells of modules, of which a part is used here. */
interface Modules {
  readonly getModuleInfo: (id: string) => { readonly importedIds: readonly string[] } | null
}

/** From other projects, for every page. It changes less often than our code. */
const framework = {
  name: 'framework',
  test: /node_modules\/(react|react-dom|scheduler|react-router|react-error-boundary|@tanstack\/react-query|@tanstack\/query-core|valibot|cookie-es|get-nonce)\//,
}

/**
 * For one build of a process: what a file imports, directly or not, and without delay. The file itself stays apart: while it waits for
 * a page's code, nothing that this code imports may wait for the file.
 */
function importedBy(name: string, file: string) {
  const start = join(sourceDir, file)
  const imported = new Set([start])
  let isComplete = false
  return (id: string, modules: Modules): string | null => {
    if (!isComplete) {
      for (const each of imported) {
        for (const next of modules.getModuleInfo(each)?.importedIds ?? []) imported.add(next)
      }
      isComplete = true
    }
    return id !== start && imported.has(id) ? name : null
  }
}

/**
 * The files that the build makes of the code that pages share. Without these, each set of pages with
 * something in common would get a file of its own, some 300 in all, and on slow lines each request costs
 * more than its bytes. A group imports only from those above it, so that files never import each other in
 * a circle, in which code would run too early. How often code is shared was chosen for few requests and few unused bytes.
 */
export const codeSplitting = {
  groups: [
    framework,
    { name: importedBy('entry', 'main.tsx') },
    // The first visit shall load nothing that it does not need.
    { name: importedBy('landing', 'features/landing/landing-page.tsx'), minShareCount: 2 },
    { name: 'icons', test: /virtual:icon/, minShareCount: 4 },
    { name: 'contract', test: /\/packages\//, minShareCount: 6 },
    { name: 'parts', test: /\/src\/(ui|lib)\//, minShareCount: 8 },
    { name: 'domain', test: /\/src\/(devices|islands)\//, minShareCount: 6 },
  ],
}
