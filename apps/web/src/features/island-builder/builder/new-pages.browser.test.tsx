import { deployPages, deployTemplate, getPages } from '@astropelago/contract/hosted-pages'
import { getRelay } from '@astropelago/contract/island-relay'
import { createIsland, publishIsland } from '@astropelago/contract/islands'
import type { User } from '@astropelago/contract/me'
import { describe, expect, test } from 'vitest'
import { cleanup } from 'vitest-browser-react/pure'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible, expectAccessibleOnDesktop } from '../../../test/accessibility.ts'
import { answerApi, refused } from '../../../test/answer-api.ts'
import { answerRelay } from '../../../test/answer-relay.ts'
import { openPart } from '../../../test/open-screen.tsx'
import { sampleDraft, sampleOwnIsland } from '../../../test/sample-island.ts'
import { sampleUser } from '../../../test/samples.ts'
import { answerOwnDevices } from '../../../devices/testing/answer-own-devices.ts'
import { answerOwnIslands, takenSentence, takenSlug } from '../testing/answer-islands.ts'
import { answerPages, sampleDeployment } from '../testing/answer-pages.ts'
import { NewIslandPage } from './new-island-page.tsx'

const name = page.getByLabelText('Name', { exact: true })
const address = page.getByLabelText('Address', { exact: true })
const title = page.getByRole('heading', { level: 2 })
const publish = page.getByRole('button', { name: 'Publish', exact: true })
const tile = (label: RegExp) => page.getByRole('link', { name: label })
const alert = page.getByRole('alert')
const demoUser: User = { ...sampleUser, isDemo: true }
const connectionFailed = 'The connection failed. Check it and try again.'

async function openBuilder(path = '/new-island', user: User = sampleUser) {
  await openPart(<NewIslandPage />, { path, user })
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
}

const hostedDraft = (details = {}) =>
  sampleDraft({
    id: 'one',
    isHosted: true,
    isWatched: true,
    relayAddress: 'https://harbour-books-x7k2p9.isles.example/',
    ...details,
  })

describe('an island from a template', () => {
  test('takes two clicks and a name', async () => {
    answerRelay()
    const { created, published } = answerOwnIslands()
    const { begun } = answerPages()
    await openBuilder()
    await expect.element(title).toHaveTextContent('What will it be?')
    await tile(/^Photo wall/).click()
    await expect.element(title).toHaveTextContent('Give it a name')
    await expect.element(title).toHaveFocus()
    await name.fill('Harbour Pictures')
    await expect.element(address).toHaveValue('harbour-pictures')
    await publish.click()
    await expect.element(title).toHaveTextContent('Your island is published')
    await expect.element(title).toHaveFocus()
    expect(created.map(({ body }) => body)).toEqual([
      {
        name: 'Harbour Pictures',
        kind: 'media',
        tagline: 'Pictures to look at in peace.',
        about: '',
        rules: '',
        address: null,
        carrier: null,
        isRelayed: false,
        isHosted: true,
        slug: 'harbour-pictures',
      },
    ])
    expect(begun.map(({ body }) => body)).toEqual([{ template: 'photo-wall' }])
    expect(published.map(({ body }) => body)).toEqual([
      { access: 'public', isListed: false, slug: 'harbour-pictures' },
    ])
  })

  test('is entered, shared and changed from the last screen', async () => {
    const shared: unknown[] = []
    Object.defineProperty(navigator, 'share', {
      configurable: true,
      value: async (data: unknown) => void shared.push(data),
    })
    answerOwnIslands(
      sampleOwnIsland({
        id: 'one',
        isHosted: true,
        isOpen: true,
        address: null,
        relayAddress: 'https://harbour-books.isles.example/',
      }),
    )
    await openBuilder('/new-island?island=one')
    await expect
      .element(page.getByText(/Its pages are at https:\/\/harbour-books.isles.example\//))
      .toBeVisible()
    await expect
      .element(tile(/^Enter/))
      .toHaveAttribute('href', 'https://harbour-books.isles.example/')
    await expect
      .element(tile(/^Change the pages/))
      .toHaveAttribute('href', '/islands/harbour-books/settings/pages')
    await expect.element(page.getByRole('button', { name: 'Copy Its address' })).toBeVisible()
    await page.getByRole('button', { name: 'Share…' }).click()
    const url = `${window.location.origin}/islands/harbour-books`
    expect(shared).toEqual([{ title: 'Harbour Books', url }])
    Reflect.deleteProperty(navigator, 'share')
    await expectAccessible()
  })

  test('that fails in the middle is a draft, and the next try goes on from there', async () => {
    answerRelay()
    const { created, updated, published, islands } = answerOwnIslands()
    answerPages()
    answerApi(deployTemplate, 'dropped')
    await openBuilder('/new-island?what=blog')
    await name.fill('Harbour Letters')
    await publish.click()
    await expect.element(alert).toHaveTextContent(connectionFailed)
    await expect.poll(() => window.location.search).toBe(`?what=blog&island=${islands[0]?.id}`)
    const { begun } = answerPages()
    answerApi(publishIsland, refused('slug_taken', { slug: takenSentence }))
    await name.fill('Letters of the Harbour')
    await publish.click()
    await expect.element(address).toHaveFocus()
    await expect.element(address).toHaveAccessibleDescription(/^Another island has this address\./)
    const again = answerOwnIslands(...islands)
    await address.fill('letters')
    await publish.click()
    await expect.element(title).toHaveTextContent('Your island is published')
    expect([created.length, again.created.length]).toEqual([1, 0])
    expect(updated.map(({ body }) => body)).toEqual([
      { name: 'Letters of the Harbour', isHosted: true },
    ])
    // The template is there once.
    expect(begun).toHaveLength(1)
    expect(published).toEqual([])
    expect(again.published.map(({ body }) => body)).toEqual([
      { access: 'public', isListed: false, slug: 'letters' },
    ])
  })

  test('keeps what was typed over a reload and a lost session', async () => {
    answerRelay()
    answerOwnIslands()
    answerApi(createIsland, refused('signed_out'))
    await openBuilder('/new-island?what=links')
    await name.fill('Where I am')
    await page.getByRole('radio', { name: 'For members' }).click()
    await publish.click()
    await expect.element(alert).toMatchTextContent('You are signed out.')
    await cleanup()
    const { published } = answerOwnIslands()
    answerPages()
    await openBuilder('/new-island?what=links')
    await expect.element(name).toHaveValue('Where I am')
    await publish.click()
    await expect.element(title).toHaveTextContent('Your island is published')
    expect(published.map(({ body }) => body)).toEqual([{ access: 'invited', isListed: false }])
  })

  test('needs a name, and a free address', async () => {
    answerRelay()
    answerOwnIslands()
    await openBuilder('/new-island?what=scoreboard')
    await publish.click()
    await expect.element(name).toHaveFocus()
    await expect.element(name).toHaveAccessibleDescription(/^Give your island a name\.|The name/)
    await name.fill('The Lighthouse')
    await expect.element(address).toHaveValue(takenSlug)
    await expect.element(page.getByText(takenSentence)).toBeVisible()
  })
})

describe('own files', () => {
  test('are sent after the island is made, and stay chosen if they are refused', async () => {
    answerRelay()
    const { created, published, islands } = answerOwnIslands()
    answerPages()
    const sentence = 'There is no index.html at the top. Visitors see that page first.'
    answerApi(deployPages, refused('pages_refused', { files: sentence }))
    await openBuilder()
    await tile(/^My own files/).click()
    await name.fill('Harbour Site')
    await publish.click()
    await expect.element(alert).toHaveTextContent('Choose your files first.')
    expect(created).toEqual([])
    const zip = new File([new Uint8Array(2000)], 'site.zip', { type: 'application/zip' })
    await userEvent.upload(page.getByLabelText('Choose a zip'), zip)
    await publish.click()
    await expect.element(alert).toHaveTextContent(sentence)
    await expect.element(page.getByText('site.zip')).toBeVisible()
    expect(islands[0]?.publishedAt).toBeNull()
    const { uploaded } = answerPages()
    await publish.click()
    await expect.element(title).toHaveTextContent('Your island is published')
    expect(uploaded.map(({ body }) => body.length)).toEqual([2000])
    expect(published).toHaveLength(1)
  })

  test('that an operator looks at first can be published without Explore', async () => {
    answerRelay()
    answerOwnIslands(hostedDraft({ isOpen: true }))
    answerApi(publishIsland, refused('pages_in_review'))
    await openBuilder('/new-island?island=one&step=publish')
    await expect.element(name).toHaveValue('Harbour Books')
    await page.getByRole('checkbox').click()
    await publish.click()
    await expect
      .element(alert)
      .toMatchTextContent('An operator of this server looks at these pages')
    const { published } = answerOwnIslands(hostedDraft({ isOpen: true }))
    await page.getByRole('checkbox').click()
    await expect.element(alert).not.toBeInTheDocument()
    await publish.click()
    await expect.element(title).toHaveTextContent('Your island is published')
    expect(published.map(({ body }) => body)).toEqual([
      { access: 'public', isListed: false, slug: 'harbour-books' },
    ])
  })
})

describe('a draft', () => {
  test('without pages begins with choosing them', async () => {
    answerRelay()
    const { updated, created } = answerOwnIslands(hostedDraft())
    const { begun } = answerPages()
    await openBuilder('/new-island?island=one&step=publish')
    await expect.element(title.first()).toHaveTextContent('What will it be?')
    await expect.element(tile(/^A link/)).not.toBeInTheDocument()
    await tile(/^Guest book/).click()
    await expect.element(name).toHaveValue('Harbour Books')
    await publish.click()
    await expect.element(title).toHaveTextContent('Your island is published')
    expect([created, updated]).toEqual([[], []])
    expect(begun.map(({ params, body }) => [params.id, body.template])).toEqual([
      ['one', 'guest-book'],
    ])
  })
})

describe('the first choice', () => {
  test('leads to the form of a link or the relay', async () => {
    answerRelay()
    answerOwnDevices()
    answerOwnIslands()
    await openBuilder()
    await tile(/^A link/).click()
    await expect.element(page.getByRole('radio', { name: 'A link' })).toBeChecked()
    await page.getByRole('link', { name: 'Choose' }).click()
    await tile(/^My device at home/).click()
    await expect.element(page.getByRole('radio', { name: 'Through the relay' })).toBeChecked()
  })

  test('has no pages and no relay on a server without a relay', async () => {
    answerOwnIslands()
    await openBuilder()
    await expect
      .element(page.getByText(/This server hosts no pages and has no relay/))
      .toBeVisible()
    await expect.element(tile(/^Chat room/)).not.toBeInTheDocument()
    await expect.element(tile(/^My own files/)).not.toBeInTheDocument()
    await expect.element(tile(/^My device at home/)).not.toBeInTheDocument()
    await expect.element(tile(/^A link/)).toBeVisible()
    await expectAccessibleOnDesktop()
  })

  test('is possible while the server does not answer, and its refusal is shown', async () => {
    answerApi(getRelay, refused('rate_limited'))
    answerOwnIslands()
    const sentence = 'This server hosts no pages. Its operator can change that.'
    answerApi(createIsland, refused('invalid_island', { isHosted: sentence }))
    await openBuilder()
    await expect
      .element(page.getByText(/could not find out what this server can host/))
      .toBeVisible()
    await tile(/^Chat room/).click()
    await name.fill('Harbour Talk')
    await publish.click()
    await expect.element(alert).toHaveTextContent(sentence)
    await expect.element(page.getByRole('link', { name: 'Choose something else' })).toBeVisible()
  })
})

describe('a demo account', () => {
  test('makes one island that only it can open', async () => {
    answerRelay()
    const { created, published, islands } = answerOwnIslands()
    answerPages()
    // As on the server, an island with pages is open.
    const begun = answerApi(deployTemplate, () => {
      const [made] = islands
      if (made) islands[0] = { ...made, isOpen: true, relayAddress: 'https://demo.isles.example/' }
      const deployment = sampleDeployment({ source: 'template', isLive: true })
      const leftOut: string[] = []
      return { status: 201, body: { deployment, leftOut } }
    })
    await openBuilder('/new-island', demoUser)
    await expect.element(page.getByText(/pages of at most 1 MB/)).toBeVisible()
    await expect.element(tile(/^A link/)).not.toBeInTheDocument()
    await tile(/^Chat room/).click()
    await expect.element(address).not.toBeInTheDocument()
    await expect.element(page.getByRole('radio')).not.toBeInTheDocument()
    await name.fill('A try')
    await page.getByRole('button', { name: 'Make the island' }).click()
    await expect.element(title).toHaveTextContent('Your island is ready')
    await expect
      .element(page.getByRole('link', { name: /^Open it/ }))
      .toHaveAttribute('href', 'https://demo.isles.example/')
    await expect.element(page.getByText(/Only you can open it/)).toBeVisible()
    expect(created.map(({ body }) => 'slug' in body)).toEqual([false])
    expect(begun).toHaveLength(1)
    expect(published).toEqual([])
    await expectAccessible()
  })

  test('sees what failed although it can’t make another island', async () => {
    answerRelay()
    answerOwnIslands()
    answerPages()
    answerApi(deployTemplate, 'dropped')
    await openBuilder('/new-island?what=links', demoUser)
    await name.fill('A try')
    await page.getByRole('button', { name: 'Make the island' }).click()
    await expect.element(alert).toHaveTextContent(connectionFailed)
    await expect.element(name).toHaveValue('A try')
  })

  test('can’t make a second one, but goes on with the first', async () => {
    answerRelay()
    answerOwnIslands(hostedDraft())
    await openBuilder('/new-island', demoUser)
    await expect.element(page.getByText(/can’t host more than 1 island/)).toBeVisible()
    await page.getByRole('region', { name: 'Drafts' }).getByRole('link').click()
    await expect.element(title.first()).toHaveTextContent('What will it be?')
  })
})

test('axe finds no violations', async () => {
  answerRelay()
  answerOwnIslands()
  answerApi(getPages, refused('not_found'))
  await openBuilder()
  await expect.element(tile(/^Chat room/)).toBeVisible()
  await expectAccessible()
  for (const what of ['chat-room', 'files']) {
    await cleanup()
    await openBuilder(`/new-island?what=${what}`)
    await publish.click()
    await expect.element(alert.first()).toBeVisible()
    await expectAccessible()
  }
})
