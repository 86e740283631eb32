import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Puts a version of Node from npm's registry into a folder. @returns the program */
export function fetchNode(folder: string, version: string): string {
  const place = join(folder, version)
  mkdirSync(place)
  const name = `node-linux-${process.arch}@${version}`
  execFileSync('npm', ['pack', '--silent', '--pack-destination', place, name])
  const [archive] = readdirSync(place)
  assert.ok(archive !== undefined, `the registry has no ${name}`)
  execFileSync('tar', ['-xzf', archive, '--strip-components=1'], { cwd: place })
  const program = join(place, 'bin/node')
  assert.ok(existsSync(program))
  return program
}
