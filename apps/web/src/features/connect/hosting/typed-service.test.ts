import { expect, test } from 'vitest'
import { serviceProblem, tcpProblem } from '../../../devices/relay-commands/service-problem.ts'
import { readService, readTcp, usualService } from './typed-service.ts'

test.each([
  ['8080', 'http://localhost:8080'],
  [' 3000 ', 'http://localhost:3000'],
  ['localhost:5173', 'http://localhost:5173'],
  ['192.168.1.20:80', 'http://192.168.1.20:80'],
  ['https://nas.local', 'https://nas.local'],
])('%s is the service at %s', (address, url) => {
  const service = readService({ ...usualService, address })
  expect(service).toEqual({ kind: 'address', url })
  expect(serviceProblem(service)).toBeUndefined()
})

test.each(['', '99999999', 'ftp://nas.local', 'my computer'])('%o is no service', (address) => {
  expect(serviceProblem(readService({ ...usualService, address }))).toBeTypeOf('string')
})

test('a folder is what is typed, and is listed where that is wanted', () => {
  const folder = { ...usualService, kind: 'folder', folder: ' /srv/site ' } as const
  expect(readService(folder)).toEqual({ kind: 'folder', path: '/srv/site' })
  expect(readService({ ...folder, isListing: true })).toEqual({
    kind: 'folder',
    path: '/srv/site',
    isListing: true,
  })
})

test.each([
  ['25565', 'localhost:25565'],
  [' nas.local:22 ', 'nas.local:22'],
  ['[::1]:22', '[::1]:22'],
])('what a port of the island leads to: %s is %s', (tcp, told) => {
  expect(readTcp({ ...usualService, tcp })).toBe(told)
  expect(tcpProblem(told)).toBeUndefined()
})

test('without a word a port of the island leads nowhere', () => {
  expect(readTcp({ ...usualService, tcp: ' ' })).toBeUndefined()
})

test.each(['0', '65536', 'my game', 'localhost', 'http://localhost:25565', "a'b:22"])(
  'a port of the island leads to no %s',
  (tcp) => expect(tcpProblem(readTcp({ ...usualService, tcp }) ?? '')).toBeTypeOf('string'),
)
