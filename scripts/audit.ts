/**
 * Asks the registry for known vulnerabilities of what ships. They come with time and not with a change: that is
 * why it is asked among the long tests, and again before each release.
 */
import { spawnSync } from 'node:child_process'

/** Undefined where the registry did not tell. */
function vulnerablePackages(report: string): string[] | undefined {
  try {
    const parsed: unknown = JSON.parse(report)
    const isReport = typeof parsed === 'object' && parsed !== null && 'vulnerabilities' in parsed
    return isReport ? Object.keys(Object(parsed.vulnerabilities)) : undefined
  } catch {
    return undefined
  }
}

const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], { encoding: 'utf8' })
const found = vulnerablePackages(stdout)
if (found === undefined) {
  // A machine without a registry, or with one that lists no vulnerabilities, can't find this out.
  const [, reason = 'npm gave no answer'] = /"message": "(.*)"/.exec(stdout) ?? []
  console.log(`NOT ASKED, so nothing is known: ${reason}`)
} else {
  console.log(`${found.length} packages with known vulnerabilities: ${found.join(', ')}`)
  process.exitCode = found.length === 0 ? 0 : 1
}
