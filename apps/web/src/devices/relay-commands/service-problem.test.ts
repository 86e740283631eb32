import { expect, test } from 'vitest'
import type { HomeService } from './relay-install.ts'
import { serviceProblem } from './service-problem.ts'

const address = (url: string): HomeService => ({ kind: 'address', url })
const folder = (path: string): HomeService => ({ kind: 'folder', path })

test.each([
  address('http://localhost:8080'),
  address('https://192.168.0.7/'),
  address('http://[::1]:3000'),
  folder('~/site'),
  folder('~'),
  folder('/srv/my site'),
  folder(String.raw`C:\Users\nova\site`),
])('can be hosted: %o', (service) => {
  expect(serviceProblem(service)).toBeUndefined()
})

test.each([
  address('localhost:8080'),
  address('8080'),
  address(''),
  address('ftp://localhost'),
  address('http://localhost:8080/app'),
  address('http://a:b@localhost'),
  folder('site'),
  folder('../site'),
  folder(''),
  folder('~nova/site'),
  folder('/a"b'),
  folder('/a\nb'),
])('can’t be hosted, and the field says what to write: %o', (service) => {
  expect(serviceProblem(service)).toMatch(/^Write .*\.$/)
})
