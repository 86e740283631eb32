import { setAvatar } from '@astropelago/contract/avatars'
import sharp from 'sharp'
import * as v from 'valibot'
import type { TestBrowser } from './create-test-app.ts'

interface PictureSize {
  readonly width?: number
  readonly height?: number
}

/** A picture of one colour, as PNG. */
export async function makePicture(colour = 'red', size: PictureSize = {}): Promise<Buffer> {
  const { width = 300, height = 200 } = size
  return await sharp({ create: { width, height, channels: 3, background: colour } })
    .png()
    .toBuffer()
}

/** Sends bytes as a user's picture, and returns the answer. */
export async function sendAvatar({ inject }: Pick<TestBrowser, 'inject'>, payload: Buffer) {
  const { method, path: url, bodyType } = setAvatar
  return await inject({ method, url, payload, headers: { 'content-type': bodyType } })
}

/** Uploads a picture. @returns its address */
export async function uploadAvatar(browser: TestBrowser, payload?: Buffer): Promise<string> {
  const response = await sendAvatar(browser, payload ?? (await makePicture()))
  if (response.statusCode !== 200) throw new Error(`Uploading failed: ${response.body}`)
  return v.parse(v.string(), v.parse(setAvatar.answers[200], response.json()).user.avatar)
}
