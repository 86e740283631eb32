import { expect, onTestFinished, test } from 'vitest'
import { drawLinkPicture, LinkPictures } from './link-pictures.ts'

function openPictures(): LinkPictures {
  const pictures = new LinkPictures('Sky')
  onTestFinished(() => pictures.close())
  return pictures
}

const island = { picture: 7, name: 'Vinyl', kind: 'media' } as const

test('simultaneous requests for a picture draw it once', async () => {
  const pictures = openPictures()
  const [first, second] = await Promise.all([pictures.read(island), pictures.read(island)])
  expect(second).toBe(first)
  expect(await pictures.read(island)).toBe(first)
})

test('while twenty requests wait, the next one is refused and may be retried', async () => {
  const pictures = openPictures()
  for (let asked = 0; asked < 20; asked += 1) void pictures.read({ ...island, name: `No ${asked}` })
  await expect(pictures.read(island)).rejects.toMatchObject({ code: 'overloaded', retryAfterS: 10 })
})

test('a name is drawn as text, in lines that fit, and left out if the fonts lack its letters', () => {
  expect(drawLinkPicture({ ...island, name: '<b>&' }, 'Sky')).toContain('>&lt;b&gt;&amp;</text>')
  const long = drawLinkPicture(
    { ...island, name: 'The long way home by the sea and back again' },
    'Sky',
  )
  expect(long.match(/<text/g)?.length).toBeGreaterThan(4)
  expect(drawLinkPicture({ ...island, name: '日本の島' }, 'Sky').match(/<text/g)).toHaveLength(2)
})

test('the installation’s name is on it, smaller if it is long, and left out if the fonts lack its letters', () => {
  expect(drawLinkPicture(island, 'Sky & Sea')).toContain(
    'font-size="30" fill="#94a3b8">Sky &amp; Sea<',
  )
  const long = 'The wide harbour of the western islands'
  expect(drawLinkPicture(island, long)).toContain(`font-size="20" fill="#94a3b8">${long}<`)
  expect(drawLinkPicture(island, '空')).toContain('fill="#94a3b8"></text>')
  const [sky, sea] = ['Sky', 'Sea'].map((name) => new LinkPictures(name).etagOf(island))
  expect(sky).not.toBe(sea)
})
