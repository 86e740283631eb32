import {
  changeDraft,
  getPages,
  previewDraft,
  publishDraft,
  readPageFile,
} from '@astropelago/contract/hosted-pages'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible, expectAccessibleOnDesktop } from '../../../test/accessibility.ts'
import { answerApi, refused } from '../../../test/answer-api.ts'
import { openScreen } from '../../../test/open-screen.tsx'
import { sampleOwnIsland } from '../../../test/sample-island.ts'
import { sampleUser } from '../../../test/samples.ts'
import { answerOwnIslands } from '../testing/answer-islands.ts'
import { answerPages, sampleDeployment } from './testing/answer-pages.ts'

const index = '<!doctype html>\n<h1>Harbour</h1>\n<p>Tea at five.</p>\n'
const site = {
  'index.html': index,
  'css/site.css': 'h1 { color: teal; }\n',
  'pictures/boat.png': 'not really',
}
const keptKey = 'astropelago.draft.pages.one'
const text = (path = 'index.html') => page.getByRole('textbox', { name: `Text of ${path}` })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const files = page.getByRole('navigation', { name: 'Files' })
const file = (name: string) => files.getByRole('link', { name, exact: true })
const tab = (name: string) => page.getByRole('tab', { name })
const kept = () => window.sessionStorage.getItem(keptKey)

async function openEditor(query = '') {
  answerOwnIslands(sampleOwnIsland({ id: 'one', slug: 'harbour-tales', name: 'Harbour Tales' }))
  await openScreen(`/islands/harbour-tales/editor${query}`, { user: sampleUser })
}

async function typeAtEnd(typed: string, path?: string) {
  await text(path).click()
  await userEvent.keyboard('{Control>}{End}{/Control}')
  await userEvent.keyboard(typed)
}

const keepsOpen = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
const saveNow = () => userEvent.keyboard('{Control>}s{/Control}')

describe('a text', () => {
  test('is saved to the draft a moment after typing, and then previewed', async () => {
    const { server, changed, previewed } = answerPages({ live: site })
    await openEditor()
    await expect.element(text()).toMatchTextContent('Tea at five.')
    await expect.element(page.getByText('Nothing is changed.')).toBeVisible()
    await expect.element(button('Publish')).toBeDisabled()
    await typeAtEnd('And cake.')
    await expect.element(page.getByText('Not saved yet…')).toBeVisible()
    expect(kept()).toContain('And cake.')
    await expect.poll(() => changed.length).toBe(1)
    expect(server.draft).toEqual({ ...site, 'index.html': `${index}And cake.` })
    await expect.element(page.getByText('The draft is saved.')).toBeVisible()
    expect(kept()).toBeNull()
    await expect.element(page.getByTitle('Preview')).toBeVisible()
    await expectAccessibleOnDesktop()

    // The frame has its cookie now, so that neither a look back nor another change needs another ticket.
    window.dispatchEvent(new Event('visibilitychange'))
    await typeAtEnd('!')
    await expect.poll(() => changed.length).toBe(2)
    await expect.element(page.getByText('The draft is saved.')).toBeVisible()
    expect(previewed).toHaveLength(1)
    await button('Reload').click()
    await expect.poll(() => previewed.length).toBe(2)
  })

  test('is saved at once by Ctrl+S and by leaving, and Escape and Tab lead out of it', async () => {
    const { server } = answerPages({ live: site })
    await openEditor()
    await typeAtEnd('{Tab}One')
    await saveNow()
    await expect.element(page.getByText('The draft is saved.')).toBeVisible()
    expect(server.draft?.['index.html']).toBe(`${index}  One`)
    await userEvent.keyboard('<')
    await expect.element(page.getByRole('listbox', { name: 'Completions' })).toBeVisible()
    await userEvent.keyboard('{Escape}{Tab}')
    await expect.element(text()).not.toHaveFocus()
    await typeAtEnd('Two')
    await page.getByRole('banner').getByRole('link', { name: 'Explore' }).click()
    await expect.poll(() => server.draft?.['index.html']).toBe(`${index}  One<Two`)
  })

  test('that is not saved keeps the window from closing', async () => {
    answerPages({ live: site })
    answerApi(changeDraft, 'dropped')
    await openEditor()
    await expect.element(text()).toBeVisible()
    expect(keepsOpen()).toBe(false)
    await typeAtEnd('x')
    expect(keepsOpen()).toBe(true)
  })

  test('that the server did not get is said and tried again', async () => {
    const { server } = answerPages({ live: site })
    answerApi(changeDraft, 'dropped')
    await openEditor()
    await typeAtEnd('x')
    const line = page.getByText('is not saved, and stays in this window', { exact: false })
    await expect.element(line).toMatchTextContent('The connection failed.')
    expect(kept()).toContain('x')
    answerApi(changeDraft, refused('signed_out'))
    await button('Try again').click()
    await expect.element(line).toMatchTextContent('You are signed out.')
    await expect.element(button('Sign in')).toBeVisible()
    answerApi(changeDraft, refused('pages_refused', { files: 'Pages have at most 50 MB in all.' }))
    window.dispatchEvent(new Event('online'))
    await expect.element(line).toMatchTextContent('Pages have at most 50 MB in all.')
    answerPages({ live: site, draft: { ...site, ...server.draft } })
    await button('Try again').click()
    await expect.element(page.getByText('The draft is saved.')).toBeVisible()
    expect(kept()).toBeNull()
  })

  test('that was left by an earlier visit is offered', async () => {
    const { server } = answerPages({ live: site })
    window.sessionStorage.setItem(
      keptKey,
      JSON.stringify({ 'index.html': 'Mine', 'css/site.css': site['css/site.css'] }),
    )
    await openEditor()
    const offer = page.getByText('Your last visit left a text that was not saved: index.html')
    await expect.element(offer).toBeVisible()
    await expect.element(text()).toMatchTextContent('Tea at five.')
    await button('Restore').click()
    await expect.element(text()).toMatchTextContent('Mine')
    await expect.poll(() => server.draft?.['index.html']).toBe('Mine')
    await expect.element(offer).not.toBeInTheDocument()
    expect(kept()).toBeNull()
  })

  test('that was left can be discarded', async () => {
    const { changed } = answerPages({ live: site })
    window.sessionStorage.setItem(keptKey, JSON.stringify({ 'index.html': 'Mine' }))
    await openEditor()
    await button('Discard').click()
    await expect.element(button('Discard')).not.toBeInTheDocument()
    expect(kept()).toBeNull()
    expect(changed).toHaveLength(0)
  })

  test('that changed in another window is shown on request', async () => {
    const { server } = answerPages({ live: site, draft: site })
    await openEditor()
    await expect.element(text()).toMatchTextContent('Tea at five.')
    server.changeElsewhere({ 'index.html': 'Theirs' })
    window.dispatchEvent(new Event('visibilitychange'))
    await button('Show the change').click()
    await expect.element(text()).toMatchTextContent('Theirs')
    await expect.element(button('Show the change')).not.toBeInTheDocument()
  })
})

describe('publishing', () => {
  test('saves first, says that the pages are live, and leads to what is blocked', async () => {
    const { server, published } = answerPages({ live: site })
    server.blocked = [
      { path: 'css/site.css', line: 2, address: 'https://cdn.example/a.css', what: 'style' },
    ]
    await openEditor()
    await typeAtEnd('Soon.')
    await button('Publish').click()
    const result = page.getByRole('region', { name: 'Published' })
    await expect.element(result).toMatchTextContent('Your pages are live.')
    await expect.element(result.getByText('Your pages are live.', { exact: false })).toHaveFocus()
    expect(published).toHaveLength(1)
    expect(server.live?.['index.html']).toBe(`${index}Soon.`)
    await expect.element(button('Publish')).toBeDisabled()
    await expect.element(result).toMatchTextContent('Style sheet: https://cdn.example/a.css')
    await expectAccessible()
    await result.getByRole('link', { name: 'css/site.css, line 2' }).click()
    await expect.element(text('css/site.css')).toHaveFocus()
    await userEvent.keyboard('/* here */')
    await saveNow()
    await expect.poll(() => server.draft?.['css/site.css']).toBe('h1 { color: teal; }\n/* here */')
    await button('Close').click()
    await expect.element(result).not.toBeInTheDocument()
  })

  test('tells a refusal, and that an operator looks first', async () => {
    answerPages({ live: site, draft: site })
    answerApi(publishDraft, refused('pages_refused', { files: 'These pages need a file.' }))
    await openEditor()
    await button('Publish').click()
    await expect.element(page.getByRole('alert')).toMatchTextContent('These pages need a file.')
    const deployment = sampleDeployment({ id: 'x', isLive: false, isInReview: true })
    answerApi(publishDraft, { status: 201, body: { deployment, leftOut: ['.env'] } })
    await button('Publish').click()
    const result = page.getByRole('region', { name: 'Published' })
    await expect.element(result).toMatchTextContent('An operator of this server looks')
    await expect.element(result).toMatchTextContent('Left out: .env')
  })
})

test('a draft is discarded after a question', async () => {
  const { server, removed } = answerPages({ live: site, draft: { ...site, 'index.html': 'New' } })
  await openEditor()
  await expect.element(text()).toMatchTextContent('New')
  await button('Discard the draft').click()
  await expect.element(button('Keep it')).toHaveFocus()
  expect(removed).toHaveLength(0)
  await button('Discard it').click()
  await expect.element(text()).toMatchTextContent('Tea at five.')
  await expect.element(page.getByText('Nothing is changed.')).toBeVisible()
  expect(server.draft).toBeUndefined()
})

describe('files', () => {
  test('are made, renamed and deleted', async () => {
    const { server } = answerPages({ live: site })
    await openEditor()
    await button('New file').click()
    const name = page.getByRole('textbox', { name: 'Name' })
    await expect.element(name).toHaveFocus()
    await name.fill('index.html')
    await button('Make it').click()
    await expect
      .element(page.getByRole('alert'))
      .toMatchTextContent('There is a file with this name')
    await name.fill('about.html')
    await button('Make it').click()
    await expect.element(text('about.html')).toMatchTextContent('<!doctype html>')
    await expect.element(file('about.html')).toHaveAttribute('aria-current', 'true')

    await button('Rename').click()
    await name.fill('/people/about.html')
    await page.getByRole('form', { name: 'Rename' }).getByRole('button', { name: 'Rename' }).click()
    await expect.element(text('people/about.html')).toMatchTextContent('<!doctype html>')
    expect(Object.keys(server.draft ?? {})).toEqual([...Object.keys(site), 'people/about.html'])

    await button('Delete').click()
    await button('Delete it').click()
    await expect.element(text()).toMatchTextContent('Tea at five.')
    expect(server.draft).toEqual(site)
  })

  test('that the server refuses keep their name', async () => {
    answerPages({ live: site })
    answerApi(changeDraft, refused('pages_refused', { files: '“.env” can’t be published.' }))
    await openEditor()
    await button('New file').click()
    await page.getByRole('textbox', { name: 'Name' }).fill('.env')
    await button('Make it').click()
    await expect.element(page.getByRole('alert')).toMatchTextContent('“.env” can’t be published.')
    await button('Cancel').click()
    await expect.element(button('New file')).toHaveFocus()
  })

  test('are added in a zip, into a folder', async () => {
    const { server, added } = answerPages({ live: site })
    await openEditor()
    await button('Add files').click()
    const area = page.getByLabelText('Choose files, or drop files and folders here')
    await page.getByRole('textbox', { name: 'Folder (optional)' }).fill('/pictures/')
    const large = new File([new Uint8Array(10_000_001)], 'film.mp4')
    await userEvent.upload(area, large)
    await expect.element(page.getByRole('alert')).toMatchTextContent('film.mp4 is too large.')
    await userEvent.upload(area, [new File(['~~~'], 'sea.png'), new File(['^^^'], 'hill.png')])
    await expect.element(page.getByText('The files are in the draft')).toBeVisible()
    expect(added).toHaveLength(1)
    expect(server.draft).toMatchObject({ 'pictures/sea.png': '~~~', 'pictures/hill.png': '^^^' })
    await expect.element(file('pictures/sea.png')).toBeVisible()
  })

  test('that are dropped are added', async () => {
    const { server } = answerPages({ live: site })
    await openEditor()
    await button('Add files').click()
    const area = page.getByLabelText('Choose files, or drop files and folders here')
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File(['~~~'], 'sea.png'))
    const drop = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true })
    ;(await area.findElement()).dispatchEvent(drop)
    await expect.poll(() => server.draft?.['sea.png']).toBe('~~~')
  })

  test('that are no text, or large, are named as such', async () => {
    const large = 'x'.repeat(512 * 1024 + 1)
    answerPages({ live: { ...site, 'large.txt': large } })
    await openEditor('?file=pictures/boat.png')
    await expect
      .element(page.getByText('is a picture or something else', { exact: false }))
      .toBeVisible()
    const link = page.getByRole('link', { name: 'Open the published one' })
    await expect
      .element(link)
      .toHaveAttribute('href', 'https://harbour-tales.isles.example/pictures/boat.png')
    await file('large.txt').click()
    await expect
      .element(page.getByText('Files of more than 512 KiB', { exact: false }))
      .toBeVisible()
  })
})

describe('the preview', () => {
  test('opens in a tab with a ticket of its own, and tells why it can’t', async () => {
    answerPages({ live: site, draft: site })
    const opened = vi.fn<(link: HTMLAnchorElement) => void>()
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
      this: HTMLAnchorElement,
    ) {
      opened(this)
    })
    onTestFinished(() => click.mockRestore())
    await openEditor()
    await expect.element(page.getByTitle('Preview')).toHaveAttribute('referrerpolicy', 'origin')
    await button('Open in a tab').click()
    await expect.poll(() => opened.mock.calls).toHaveLength(1)
    // The preview opens only for browsers that come from here.
    expect(opened.mock.calls[0]?.[0]).toMatchObject({
      href: expect.stringMatching(/ticket=2$/),
      referrerPolicy: 'origin',
      rel: 'noopener',
      target: '_blank',
    })
    answerApi(previewDraft, refused('pages_off'))
    await button('Open in a tab').click()
    await expect
      .element(page.getByText('This server hosts no pages.', { exact: false }))
      .toBeVisible()
  })
})

test('a small screen shows one part at a time', async () => {
  answerPages({ live: site, draft: site })
  await page.viewport(360, 780)
  await openEditor()
  await expect.element(text()).toBeVisible()
  await expect.element(files).not.toBeInTheDocument()
  await tab('Preview').click()
  await expect.element(page.getByTitle('Preview')).toBeVisible()
  await expect.element(text()).not.toBeInTheDocument()
  await tab('Files').click()
  await expectAccessible()
  await page.viewport(360, 780)
  await file('css/site.css').click()
  await expect.element(text('css/site.css')).toBeVisible()
  await expect.element(tab('Text')).toHaveAttribute('aria-selected', 'true')
  await expectAccessible()
})

describe('without pages to edit', () => {
  test('a host chooses a template or starts with an empty page', async () => {
    const { server } = answerPages({})
    await openEditor()
    await expect
      .element(page.getByRole('link', { name: 'Choose a template' }))
      .toHaveAttribute('href', '/islands/harbour-tales/settings/pages')
    await expectAccessible()
    await button('Start with an empty page').click()
    await expect.element(text()).toMatchTextContent('<!doctype html>')
    expect(Object.keys(server.draft ?? {})).toEqual(['index.html'])
  })

  test('the page says why', async () => {
    const limits = { bytes: 1, files: 1, fileBytes: 1 }
    const none = { address: null, deployments: [], draft: null, limits }
    answerApi(getPages, { status: 200, body: none })
    await openEditor()
    await expect.element(page.getByText('This server hosts no pages')).toBeVisible()
  })

  test('a failed load is said and tried again', async () => {
    answerApi(getPages, refused('server_error'))
    await openEditor()
    await expect.element(page.getByText('Your pages could not be loaded.')).toBeVisible()
    answerPages({ live: site })
    answerApi(readPageFile, refused('server_error'))
    await button('Try again').click()
    await expect.element(page.getByText('Something went wrong. Please try again.')).toBeVisible()
    answerPages({ live: site })
    await button('Try again').click()
    await expect.element(text()).toMatchTextContent('Tea at five.')
  })

  test('somebody else finds nothing', async () => {
    answerOwnIslands()
    await openScreen('/islands/harbour-tales/editor', { user: sampleUser })
    await expect.element(page.getByText('None of your islands has this address')).toBeVisible()
  })

  test('signed-out visitors are asked to sign in', async () => {
    await openScreen('/islands/harbour-tales/editor')
    await expect.element(page.getByRole('dialog')).toBeVisible()
  })
})
