/**
 * Asks the registry for known vulnerabilities in the packages that ship. New ones appear without any change
 * on our side, so this is one of the long tests and is run again before each release.
 */
import { spawnSync } from 'node:child_process'

/** Undefined if the registry gave no list. */
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
  // There is no registry, or it lists no vulnerabilities, so there is nothing to check.
  const [, reason = 'npm gave no answer'] = /"message": "(.*)"/.exec(stdout) ?? []
  console.log(`NOT CHECKED: ${reason}`)
} else {
  console.log(`${found.length} packages with known vulnerabilities: ${found.join(', ')}`)
  process.exitCode = found.length === 0 ? 0 : 1
}
