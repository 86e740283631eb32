import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { UploadSlots } from './upload-slots.ts'

const overloaded = expect.objectContaining({ code: 'overloaded' })

function setUp() {
  const slots = new UploadSlots()
  const take = (userKey: number) => {
    const response = newResponse()
    slots.take(response, userKey)
    return response
  }
  return { slots, take }
}

function newResponse() {
  return new ServerResponse(new IncomingMessage(new Socket()))
}

test('S62 S63 one user’s uploads leave slots to others', () => {
  const { take } = setUp()
  const first = take(1)
  take(1)
  expect(() => take(1)).toThrow(overloaded)
  take(2)
  take(3)
  expect(() => take(4)).toThrow(overloaded)
  first.emit('close')
  take(4)
  expect(() => take(1)).toThrow(overloaded)
})

test('an upload that ended before its turn takes none', () => {
  const { slots, take } = setUp()
  for (let at = 0; at < 9; at += 1) {
    const response = newResponse()
    response.destroy()
    slots.take(response, 1)
  }
  expect(() => take(1)).not.toThrow()
})
