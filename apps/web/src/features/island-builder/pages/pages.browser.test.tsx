import {
  type Deployment,
  deployPages,
  deployTemplate,
  getPages,
  removePages,
  setLivePages,
} from '@astropelago/contract/hosted-pages'
import type { User } from '@astropelago/contract/me'
import { OwnMessage, streamOwn } from '@astropelago/contract/streams'
import { unzipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '../../../test/accessibility.ts'
import { answerApi, refused } from '../../../test/answer-api.ts'
import { answerRelay } from '../../../test/answer-relay.ts'
import { answerStream } from '../../../test/answer-stream.ts'
import { openScreen } from '../../../test/open-screen.tsx'
import { sampleOwnIsland } from '../../../test/sample-island.ts'
import { sampleUser } from '../../../test/samples.ts'
import { answerOwnIslands } from '../testing/answer-islands.ts'
import { answerPages, sampleDeployment } from '../testing/answer-pages.ts'

const card = (name: string) => page.getByRole('region', { name, exact: true })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const deployments = page.getByRole('list', { name: 'Deployments' }).getByRole('listitem')
const publish = button('Publish these files')
const connectionFailed = 'The connection failed. Check it and try again.'

const hosted = () =>
  sampleOwnIsland({
    id: 'one',
    slug: 'harbour-tales',
    name: 'Harbour Tales',
    address: null,
    isHosted: true,
    relayAddress: 'https://harbour-tales.isles.example/',
  })

async function openPages(island = hosted(), user: User = sampleUser) {
  answerOwnIslands(island)
  answerRelay()
  answerStream(streamOwn, OwnMessage)
  await openScreen('/islands/harbour-tales/settings/pages', { user })
}

/** In a folder, as browsers hand it over. */
function inFolder(path: string, content: string): File {
  const file = new File([content], path.split('/').at(-1) ?? path)
  Object.defineProperty(file, 'webkitRelativePath', { value: path })
  return file
}

async function chooseFolder(...files: File[]) {
  const input = page.getByLabelText('Choose a folder')
  await expect.element(input).toBeInTheDocument()
  expect(input.element().hasAttribute('webkitdirectory')).toBe(true)
  // A browser fills the field from a folder of the disk.
  Object.defineProperty(input.element(), 'files', { value: files, configurable: true })
  input.element().dispatchEvent(new Event('change', { bubbles: true }))
  await expect.element(publish).toBeVisible()
}

const zip = (size = 10, name = 'site.zip') =>
  new File([new Uint8Array(size)], name, { type: 'application/zip' })

describe('the pages of an island', () => {
  test('show what is live and the deployments, with links to the pages and the editor', async () => {
    answerPages([
      sampleDeployment({ source: 'editor', fileCount: 1, bytes: 900, isLive: true }),
      sampleDeployment({ id: 'before', source: 'template' }),
    ])
    await openPages()
    const pages = card('Pages')
    await expect
      .element(pages)
      .toMatchTextContent('Live now: Jan 2, 03:04 · from the editor · 1 file, 0.9 kB')
    await expect
      .element(pages.getByRole('link', { name: 'Open the editor' }))
      .toHaveAttribute('href', '/islands/harbour-tales/editor')
    await expect
      .element(pages.getByRole('link', { name: /^Open the pages/ }))
      .toHaveAttribute('href', 'https://harbour-tales.isles.example/')
    await expect.element(deployments.nth(1)).toMatchTextContent('a template · 12 files, 3.2 MB')
    await expect
      .element(deployments.nth(1).getByRole('link', { name: /^Download/ }))
      .toHaveAttribute('href', '/api/islands/one/pages/zip?of=before')
    await expect
      .element(card('From your own computer'))
      .toMatchTextContent(`${window.location.origin}/api/islands/one/pages'`)
    await expect
      .element(page.getByRole('link', { name: 'API key' }))
      .toHaveAttribute('href', '/account/keys')
  })

  test('of a relayed island are for while it is closed', async () => {
    answerPages()
    await openPages({ ...hosted(), isHosted: false, isRelayed: true })
    await expect
      .element(card('Pages'))
      .toMatchTextContent('While your island is closed, visitors see these pages.')
    await expect.element(page.getByText('No pages yet')).toBeVisible()
    await expect
      .element(page.getByRole('link', { name: /^Open the pages/ }))
      .not.toBeInTheDocument()
  })

  test('are no part of an island with a link', async () => {
    await openPages({ ...hosted(), isHosted: false, address: 'https://tales.example/' })
    await expect.element(page.getByText(/Visitors of this island enter elsewhere/)).toBeVisible()
    const parts = page.getByRole('navigation', { name: 'Settings' })
    await expect.element(parts.getByRole('link', { name: 'Pages' })).not.toBeInTheDocument()
  })

  test('that could not be loaded can be loaded again; a lost session asks to sign in', async () => {
    answerApi(getPages, 'dropped')
    await openPages()
    await expect.element(page.getByText('Your pages could not be loaded.')).toBeVisible()
    answerPages()
    await button('Try again').click()
    await expect.element(page.getByText('No pages yet')).toBeVisible()
  })

  test('on a server that no longer hosts pages can only be read', async () => {
    answerPages([sampleDeployment({ isLive: true })], { address: null })
    await openPages()
    await expect.element(page.getByText(/This server hosts no pages/)).toBeVisible()
    await expect.element(page.getByRole('link', { name: 'Download as a zip' })).toBeVisible()
    await expect.element(card('Send your files')).not.toBeInTheDocument()
  })

  test('come back from an earlier deployment', async () => {
    const { broughtBack } = answerPages([
      sampleDeployment({ isLive: true }),
      sampleDeployment({ id: 'before', createdAt: '2026-01-01T03:04:05.000Z' }),
    ])
    await openPages()
    const bringBack = button('Bring back the pages of Jan 1, 03:04')
    answerApi(setLivePages, 'dropped')
    await bringBack.click()
    await expect.element(deployments.nth(1).getByRole('alert')).toHaveTextContent(connectionFailed)
    expect(broughtBack).toEqual([])
    const { broughtBack: again } = answerPages([
      sampleDeployment({ isLive: true }),
      sampleDeployment({ id: 'before', createdAt: '2026-01-01T03:04:05.000Z' }),
    ])
    await bringBack.click()
    await expect.element(page.getByText('Visitors see these pages again')).toBeVisible()
    await expect.element(deployments.first()).toMatchTextContent(/^Jan 1.*Live/)
    expect(again.map(({ body }) => body)).toEqual([{ deployment: 'before' }])
  })

  test('are all deleted after a question', async () => {
    answerPages([sampleDeployment({ isLive: true })])
    await openPages()
    answerApi(removePages, refused('rate_limited'))
    await button('Delete all pages').click()
    await button('Delete all').click()
    await expect.element(card('Deployments').getByRole('alert')).toBeVisible()
    const { removed } = answerPages([sampleDeployment({ isLive: true })])
    await button('Delete all').click()
    await expect.element(page.getByText('No pages yet')).toBeVisible()
    expect(removed).toHaveLength(1)
  })

  test('say what browsers will not load, and who looks at them first', async () => {
    const kinds = [
      'script',
      'style',
      'picture',
      'frame',
      'form',
      'request',
      'font',
      'media',
    ] as const
    const blocked: Deployment['blocked'] = kinds.map((what, index) => ({
      path: 'about/index.html',
      line: index + 1,
      address: `https://cdn.example/${what}`,
      what,
    }))
    const waiting = sampleDeployment({ isInReview: true })
    answerPages([waiting, sampleDeployment({ isLive: true, blocked })])
    await openPages()
    await page.getByText('Browsers will not load 8 things of these pages').click()
    const pages = card('Pages')
    await expect.element(pages).toMatchTextContent('about/index.html, line 1')
    await expect
      .element(pages)
      .toMatchTextContent(
        'The script at https://cdn.example/script does not run. Put the file beside the page, and write its own name instead, such as script.js.',
      )
    for (const what of kinds) {
      await expect.element(pages).toMatchTextContent(`https://cdn.example/${what}`)
    }
    await expect
      .element(pages)
      .toMatchTextContent('An operator of this server looks at your newest')
    await expect.element(pages).toMatchTextContent('visitors see the pages before them')
    await expect.element(deployments.first()).toMatchTextContent('An operator looks at it')
    await expectAccessible()
  })
})

describe('own files', () => {
  test('of a folder are packed and sent, without hidden ones', async () => {
    const { uploaded } = answerPages()
    await openPages()
    await chooseFolder(
      inFolder('site/index.html', '<h1>Tales</h1>'),
      inFolder('site/.git/config', 'x'),
    )
    const send = card('Send your files')
    await expect.element(send).toMatchTextContent('site1 file, 0.1 kB · 1 left out')
    await expect.element(publish).toHaveFocus()
    await publish.click()
    await expect.element(page.getByText('Visitors see the new pages')).toBeVisible()
    const [{ body } = { body: new Uint8Array() }] = uploaded
    const files = unzipSync(body)
    expect(Object.keys(files)).toEqual(['site/index.html'])
    for (const name of ['site/.git', 'Thumbs.db']) {
      await expect.element(send.getByText(name, { exact: true })).toBeVisible()
    }
    await expect.element(deployments.first()).toMatchTextContent('Live')
  })

  test('in a zip are sent as they are, with progress that can be cancelled', async () => {
    answerPages()
    const { promise, resolve } = Promise.withResolvers<void>()
    const uploads = answerApi(deployPages, async () => {
      await promise
      return refused('overloaded')
    })
    await openPages()
    await userEvent.upload(page.getByLabelText('Choose a zip'), zip(2_000_000))
    await publish.click()
    await expect
      .element(page.getByRole('progressbar'))
      .toHaveAccessibleName('Everything is sent. The server unpacks the files…')
    await expectAccessible(card('Send your files'))
    await button('Cancel').click()
    await expect.element(page.getByRole('progressbar')).not.toBeInTheDocument()
    await expect.element(publish).toBeVisible()
    await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
    expect(uploads.map(({ body }) => body.length)).toEqual([2_000_000])
    resolve()
    const { uploaded } = answerPages()
    await publish.click()
    await expect.element(page.getByText('Visitors see the new pages')).toBeVisible()
    expect(uploaded).toHaveLength(1)
  })

  test('that can’t become pages have the reason, and stay chosen', async () => {
    answerPages()
    await openPages()
    await userEvent.upload(page.getByLabelText('Choose a zip'), zip())
    const problem = card('Send your files').getByRole('alert')
    const noIndex = 'There is no index.html at the top. Visitors see that page first.'
    const busy = Response.json(
      { error: 'Busy.', code: 'overloaded' },
      { status: 503, headers: { 'retry-after': '10' } },
    )
    for (const [answer, text] of [
      [refused('pages_refused', { files: noIndex }), noIndex],
      [refused('pages_full'), 'This server has no room for more pages.'],
      [refused('too_large'), 'This request is larger than the server accepts.'],
      [busy, 'The server is busy with other pages. Try again in 10 seconds.'],
      [refused('signed_out'), 'You are signed out.'],
      ['dropped', connectionFailed],
    ] as const) {
      answerApi(deployPages, answer)
      await publish.click()
      await expect.element(problem).toMatchTextContent(text)
    }
  })

  test('beyond the limits are not sent', async () => {
    const { uploaded } = answerPages([], { limits: { bytes: 5000, files: 2, fileBytes: 3000 } })
    await openPages()
    const problem = card('Send your files').getByRole('alert')
    const small = (name: string) => inFolder(`site/${name}.html`, 'x'.repeat(2600))
    const [a, b, c] = [small('a'), small('b'), small('c')]
    const large = inFolder('site/film.mp4', 'x'.repeat(3100))
    for (const [files, text] of [
      [[a, b, c], 'These are 3 files. Pages have at most 2 files.'],
      [[large], '“site/film.mp4” is too large. A file may have 3 kB.'],
      [[a, b], 'These files have 5.2 kB. All together may have 5 kB.'],
    ] as const) {
      await chooseFolder(...files)
      await publish.click()
      await expect.element(problem).toHaveTextContent(text)
      await button('Choose others').click()
    }
    await userEvent.upload(page.getByLabelText('Choose a zip'), zip(1_006_000))
    await publish.click()
    await expect.element(problem).toMatchTextContent('This zip is too large.')
    expect(uploaded).toEqual([])
  })

  test('may be dropped, and are asked for again if they are none', async () => {
    answerPages()
    await openPages()
    const area = page.getByRole('group', { name: 'Your files' })
    const drop = (...files: File[]) => {
      const dataTransfer = new DataTransfer()
      for (const file of files) dataTransfer.items.add(file)
      area
        .getByText('Drop a folder or a zip here')
        .element()
        .dispatchEvent(new DragEvent('drop', { bubbles: true, dataTransfer }))
    }
    await expect.element(area).toBeInTheDocument()
    drop()
    await expect
      .element(card('Send your files').getByRole('alert'))
      .toHaveTextContent('There are no files in it.')
    await userEvent.upload(page.getByLabelText('Choose a zip'), new File(['x'], 'notes.txt'))
    await expect.element(page.getByText(/notes.txt is no zip/)).toBeVisible()
    drop(zip(1200))
    await expect.element(card('Send your files')).toMatchTextContent('site.zip1.2 kB')
    await button('Choose others').click()
    drop(new File(['x'], 'index.html'), new File(['y'], 'a.html'))
    await expect.element(card('Send your files')).toMatchTextContent('2 files, 0.1 kB')
  })
})

describe('a template', () => {
  test('replaces the pages after a question', async () => {
    const { begun } = answerPages([sampleDeployment({ isLive: true })])
    await openPages()
    answerApi(deployTemplate, refused('pages_off'))
    await page.getByRole('button', { name: /^Photo wall/ }).click()
    await expect
      .element(card('Choose a template'))
      .toMatchTextContent('“Photo wall” replaces the live pages. You can bring them back.')
    await expect.element(button('Use it')).toHaveFocus()
    await button('Use it').click()
    await expect
      .element(card('Choose a template').getByRole('alert'))
      .toMatchTextContent('This server hosts no pages.')
    expect(begun).toEqual([])
    const { begun: sent } = answerPages([sampleDeployment({ isLive: true })])
    await button('Use it').click()
    await expect.element(page.getByText('Visitors see the new pages')).toBeVisible()
    expect(sent.map(({ body }) => body)).toEqual([{ template: 'photo-wall' }])
    await expect.element(button('Use it')).not.toBeInTheDocument()
  })
})
