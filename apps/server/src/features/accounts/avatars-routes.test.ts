import { errors } from '@astropelago/contract/errors'
import { avatarMaxBytes, avatarMaxPixels } from '@astropelago/contract/limits'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { makePicture, sendAvatar, uploadAvatar } from '../../test/api-avatars.ts'
import { joinTestIsland, leaveTestNote, publishTestIsland } from '../../test/api-islands.ts'
import { createTestApp, type TestBrowser } from '../../test/create-test-app.ts'
import { testPassword } from '../../test/factories.ts'
import { pastMainThreadBudgetMs, processorMs } from '../../test/main-thread-budget.ts'

const address = /^\/api\/avatars\/[0-9a-f]{32}$/

async function avatarOf({ inject }: TestBrowser): Promise<unknown> {
  return (await inject({ url: '/api/me' })).json<{ user: { avatar: unknown } }>().user.avatar
}

async function pixelOf(image: Buffer, left: number, top: number): Promise<string> {
  const one = await sharp(image)
    .extract({ left, top, width: 1, height: 1 })
    .removeAlpha()
    .raw()
    .toBuffer()
  const [red = 0, green = 0, blue = 0] = one
  return red > 200 && blue < 60
    ? 'red'
    : blue > 200 && red < 60
      ? 'blue'
      : `${red},${green},${blue}`
}

/** A picture file that is cut off before its end. */
async function cutOff(format: 'png' | 'jpeg' | 'webp'): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const
  const file = await sharp({
    create: { width: 90, height: 90, channels: 3, background: 'red', noise },
  })
    .toFormat(format)
    .toBuffer()
  return file.subarray(0, Math.floor(file.length * 0.8))
}

async function readIsland({ inject }: Pick<TestBrowser, 'inject'>, path: string): Promise<unknown> {
  return (await inject({ url: `/api/islands/${path}` })).json<unknown>()
}

describe('a picture', () => {
  test('AV5 AV1 is redrawn: 256 px of WebP, upright, cropped to a square, without camera metadata', async () => {
    const { inject, signUp } = await createTestApp()
    const half = { create: { width: 300, height: 300, channels: 3, background: 'blue' } } as const
    // The sensor's image lies on its side: red belongs on top.
    const photo = await sharp({
      create: { width: 600, height: 300, channels: 3, background: 'red' },
    })
      .composite([{ input: await sharp(half).png().toBuffer(), left: 300, top: 0 }])
      .withExif({ IFD0: { Copyright: 'Nova of Main Street 7' }, IFD3: { GPSLatitude: '59/1' } })
      .withMetadata({ orientation: 6 })
      .jpeg({ quality: 95 })
      .toBuffer()
    expect(photo.includes('Main Street')).toBe(true)

    const url = await uploadAvatar(await signUp(), photo)
    expect(url).toMatch(address)
    const { rawPayload: image, headers } = await inject({ url })
    expect(headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'private, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    })
    expect(image.includes('Main Street')).toBe(false)
    const { format, width, height, orientation, exif, icc, xmp } = await sharp(image).metadata()
    expect({ format, width, height }).toEqual({ format: 'webp', width: 256, height: 256 })
    expect([orientation, exif, icc, xmp]).toEqual([undefined, undefined, undefined, undefined])
    expect([await pixelOf(image, 128, 10), await pixelOf(image, 128, 245)]).toEqual(['red', 'blue'])
  })

  test('is accepted as PNG, JPEG and WebP up to the limit; only the first frame of an animation is used', async () => {
    const { inject, signUp } = await createTestApp()
    const nova = await signUp()
    const png = await makePicture()
    const jpeg = await sharp(png).jpeg().toBuffer()
    const full = Buffer.concat([jpeg, Buffer.alloc(avatarMaxBytes - jpeg.length)])
    const moving = await sharp([png, await makePicture('blue')], { join: { animated: true } })
      .webp()
      .toBuffer()
    for (const file of [jpeg, await sharp(png).webp().toBuffer(), full, moving]) {
      const { rawPayload } = await inject({ url: await uploadAvatar(nova, file) })
      expect(await pixelOf(rawPayload, 128, 128)).toBe('red')
      expect((await sharp(rawPayload).metadata()).pages).toBeUndefined()
    }
  })

  test('AV2 keeps its address while it is the same, and nobody can derive it, not even with the same file', async () => {
    const { inject, signUp } = await createTestApp()
    const [nova, other] = [await signUp(), await signUp()]
    const red = await uploadAvatar(nova)
    expect(await uploadAvatar(nova)).toBe(red)
    expect(await uploadAvatar(other)).not.toBe(red)
    const blue = await uploadAvatar(nova, await makePicture('blue'))
    expect(blue).not.toBe(red)
    expect(await avatarOf(nova)).toBe(blue)
    expect((await inject({ url: red })).json()).toMatchObject({ code: 'not_found' })
  })

  test('AV4 costs the main thread 20 ms at most, however many pixels it has', async () => {
    const { signUp } = await createTestApp({})
    const nova = await signUp()
    const large = await makePicture('red', { width: 4000, height: avatarMaxPixels / 4000 })
    const pastMs = await pastMainThreadBudgetMs(async () => {
      const before = process.threadCpuUsage()
      expect((await sendAvatar(nova, large)).statusCode).toBe(200)
      return processorMs(before)
    })
    expect(pastMs).toBeUndefined()
  })
})

describe('AV3 is refused with a sentence of its own, and changes nothing:', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
  const gif = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'
  test.each([
    ['a text', 'avatar_type', async () => Buffer.from('hello')],
    ['nothing', 'avatar_type', async () => Buffer.from(' ')],
    ['SVG', 'avatar_type', async () => Buffer.from(svg)],
    ['GIF', 'avatar_type', async () => Buffer.from(gif, 'base64')],
    ['a beginning alone', 'avatar_broken', async () => Buffer.from([0xff, 0xd8, 0xff, 0xe0])],
    ['half a PNG', 'avatar_broken', () => cutOff('png')],
    ['half a JPEG', 'avatar_broken', () => cutOff('jpeg')],
    ['half a WebP', 'avatar_broken', () => cutOff('webp')],
    [
      'SVG that says it is PNG',
      'avatar_broken',
      async () => Buffer.from(`\x89PNG\r\n\x1a\n${svg}`, 'latin1'),
    ],
    [
      'more pixels than may be',
      'avatar_pixels',
      () => makePicture('red', { width: 4001, height: 4000 }),
    ],
    ['one byte too many', 'avatar_too_large', async () => Buffer.alloc(avatarMaxBytes + 1)],
  ] as const)('%s', async (_, code, make) => {
    const { signUp } = await createTestApp()
    const nova = await signUp()
    const url = await uploadAvatar(nova)
    const refused = await sendAvatar(nova, await make())
    const { status, sentence } = errors[code]
    expect([refused.statusCode, refused.json()]).toEqual([status, { code, error: sentence }])
    expect(await avatarOf(nova)).toBe(url)
  })

  test('another content type', async () => {
    const { inject } = await (await createTestApp()).signUp()
    const headers = { 'content-type': 'image/png' }
    const payload = await makePicture()
    const refused = await inject({ method: 'POST', url: '/api/me/avatar', payload, headers })
    expect(refused.json()).toMatchObject({ code: 'unsupported_media_type' })
  })
})

describe('AV4 an upload', () => {
  test('AV4 is refused after 20 uploads in an hour, before it is read', async () => {
    const { signUp } = await createTestApp()
    const [nova, other] = [await signUp(), await signUp()]
    for (let at = 0; at < 20; at += 1) await sendAvatar(nova, Buffer.from('none'))
    const refused = await sendAvatar(nova, await makePicture())
    expect(refused.json()).toMatchObject({ code: 'rate_limited' })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3000)
    await uploadAvatar(other)
  })

  test('AV4 S9 is not for demo accounts', async () => {
    const { inject } = await createTestApp()
    const { cookies } = await inject({ method: 'POST', url: '/api/auth/demo' })
    const demo = Object.fromEntries(cookies.map(({ name, value }) => [name, value]))
    const refused = await sendAvatar(
      { inject: (request) => inject({ ...request, cookies: demo }) },
      await makePicture(),
    )
    expect(refused.json()).toMatchObject({ code: 'demo_account' })
  })
})

describe('AV5 a picture is gone at once', () => {
  const gone = { statusCode: 404 }

  test('when its user removes it and sees the planet again', async () => {
    const { inject, signUp } = await createTestApp()
    const nova = await signUp()
    const url = await uploadAvatar(nova)
    const removed = await nova.inject({ method: 'DELETE', url: '/api/me/avatar' })
    expect(removed.json()).toMatchObject({ user: { username: nova.username, avatar: null } })
    expect(await avatarOf(nova)).toBeNull()
    expect(await inject({ url })).toMatchObject(gone)
    expect((await nova.inject({ method: 'DELETE', url: '/api/me/avatar' })).statusCode).toBe(200)
  })

  test('with the account', async () => {
    const { inject, signUp, storage } = await createTestApp({})
    const nova = await signUp()
    const url = await uploadAvatar(nova)
    const payload = { password: testPassword }
    await nova.inject({ method: 'POST', url: '/api/me/delete', payload })
    expect(await inject({ url })).toMatchObject(gone)
    expect(await storage.db.selectFrom('avatars').select('name').execute()).toEqual([])
  })

  test('S57 while an operator has turned the account off, and for members of its islands too', async () => {
    const { inject, signUp } = await createTestApp({ config: { operators: new Set(['ada']) } })
    const [ada, host, nova] = [await signUp('Ada'), await signUp(), await signUp('nova')]
    const { id } = await publishTestIsland(host, { access: 'public', isListed: true })
    await joinTestIsland(nova, id)
    await leaveTestNote(nova, id, 'Hi')
    const url = await uploadAvatar(nova)
    const shown = async () => {
      const { members } = (await host.inject({ url: `/api/islands/${id}/members` })).json<{
        members: { avatar: unknown }[]
      }>()
      const { entries } = (await host.inject({ url: `/api/islands/${id}/log` })).json<{
        entries: { authorAvatar: unknown }[]
      }>()
      return [members[0]?.avatar, ...entries.map(({ authorAvatar }) => authorAvatar)]
    }
    const act = (what: string) =>
      ada.inject({ method: 'POST', url: `/api/operator/users/nova/${what}` })
    expect(await shown()).toEqual([url, url, url])
    await act('disable')
    expect(await inject({ url })).toMatchObject(gone)
    expect(await shown()).toEqual([null, null, null])
    await act('enable')
    expect((await inject({ url })).statusCode).toBe(200)
    expect(await shown()).toEqual([url, url, url])
  })

  test('S59 when an operator removes it, which the audit log records', async () => {
    const { inject, signUp } = await createTestApp({ config: { operators: new Set(['ada']) } })
    const [ada, nova] = [await signUp('Ada'), await signUp('Nova')]
    const url = await uploadAvatar(nova)
    const path = '/api/operator/users/nova'
    expect((await ada.inject({ url: path })).json()).toMatchObject({ avatar: url })
    const removed = await ada.inject({ method: 'DELETE', url: `${path}/avatar` })
    expect(removed.json()).toMatchObject({ username: 'Nova', avatar: null })
    expect(await avatarOf(nova)).toBeNull()
    expect(await inject({ url })).toMatchObject(gone)
    const { entries } = (await ada.inject({ url: '/api/operator/audit' })).json<{
      entries: object[]
    }>()
    expect(entries[0]).toMatchObject({ action: 'avatar.removed', subject: 'user:nova' })
  })
})

describe('a picture is shown', () => {
  test('AV2 beside each name, to exactly those who can read the name', async () => {
    const { inject, signUp } = await createTestApp()
    const [host, nova, asking] = [await signUp(), await signUp(), await signUp()]
    const urls = [await uploadAvatar(host), await uploadAvatar(nova), await uploadAvatar(asking)]
    const [hostUrl, novaUrl, askingUrl] = urls
    const isle = await publishTestIsland(host, { access: 'public', isListed: true })
    await joinTestIsland(nova, isle.id)
    expect(await readIsland({ inject }, `by-slug/${isle.slug}`)).toMatchObject({
      hostAvatar: hostUrl,
    })
    expect(await readIsland(host, `${isle.id}/members`)).toMatchObject({
      members: [{ username: nova.username, avatar: novaUrl }],
    })
    // Only members may see who joined.
    expect(await readIsland(nova, `${isle.id}/log`)).toMatchObject({
      entries: [{ author: nova.username, authorAvatar: novaUrl }],
    })
    expect(await readIsland({ inject }, `${isle.id}/log`)).toMatchObject({
      entries: [{ author: null, authorAvatar: null }],
    })
    expect(await leaveTestNote(nova, isle.id, 'Hi')).toMatchObject({ authorAvatar: novaUrl })

    const closed = await publishTestIsland(host, { access: 'invited', isListed: true })
    await joinTestIsland(asking, closed.id)
    expect(await readIsland(host, `${closed.id}/requests`)).toMatchObject([{ avatar: askingUrl }])
    await host.inject({
      method: 'POST',
      url: `/api/islands/${closed.id}/blocks/${asking.username}`,
    })
    expect(await readIsland(host, `${closed.id}/blocks`)).toMatchObject([{ avatar: askingUrl }])

    const spark = (await nova.inject({ url: '/_spark/user' })).json<unknown>()
    expect(spark).toMatchObject({ avatar: novaUrl, avatarUrl: novaUrl })
  })

  test('to its user in the export, and before the account is deleted', async () => {
    const { inject, signUp } = await createTestApp()
    const nova = await signUp()
    const url = await uploadAvatar(nova)
    const { rawPayload } = await inject({ url })
    expect((await nova.inject({ url: '/api/me/export' })).json()).toMatchObject({
      avatar: [{ type: 'image/webp', base64: rawPayload.toString('base64') }],
    })
    expect((await nova.inject({ url: '/api/me/data' })).json()).toContainEqual({
      kind: 'avatar',
      count: 1,
      text: 'your picture',
    })
  })
})
