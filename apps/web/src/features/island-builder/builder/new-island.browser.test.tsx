import { getRelay } from '@astropelago/contract/island-relay'
import {
  createIsland,
  listOwnIslands,
  publishIsland,
  updateIsland,
} from '@astropelago/contract/islands'
import { islandsPerUser } from '@astropelago/contract/limits'
import type { User } from '@astropelago/contract/me'
import { describe, expect, test } from 'vitest'
import { cleanup } from 'vitest-browser-react/pure'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible, expectAccessibleOnDesktop } from '../../../test/accessibility.ts'
import { answerApi, refused } from '../../../test/answer-api.ts'
import { answerRelay } from '../../../test/answer-relay.ts'
import { openPart } from '../../../test/open-screen.tsx'
import { sampleDraft, sampleOwnIsland } from '../../../test/sample-island.ts'
import { sampleDevice, sampleUser } from '../../../test/samples.ts'
import { answerOwnDevices } from '../../../devices/testing/answer-own-devices.ts'
import { answerOwnIslands, takenSentence, takenSlug } from '../testing/answer-islands.ts'
import { pictureChoices } from '../picture/picture-choices.ts'
import { NewIslandPage } from './new-island-page.tsx'

const field = (label: string | RegExp) => page.getByLabelText(label, { exact: true })
const name = field('Name')
const address = field('Address')
const saveButton = page.getByRole('button', { name: 'Save and continue' })
const publishButton = page.getByRole('button', { name: 'Publish island' })
const title = page.getByRole('heading', { level: 2 })
const connectionFailed = 'The connection failed. Check it and try again.'

/** As links from Connect do, so that the form opens at once. */
const described = '/new-island?name='

async function openBuilder(path = described, user: User = sampleUser) {
  await openPart(<NewIslandPage />, { path, user })
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
}

const stepPath = (id: string, step: string) => `/new-island?island=${id}&step=${step}`

describe('the details of an island', () => {
  test('are sent as a draft, with a slug from the name, a link and a device', async () => {
    const pi = sampleDevice({ label: 'Harbour Pi' })
    answerOwnDevices(pi)
    const { created } = answerOwnIslands()
    await openBuilder()
    await name.fill('Harbour Books')
    await expect.element(address).toHaveValue('harbour-books')
    await expect.element(address).toHaveAccessibleDescription(/islands\/harbour-books /)
    await expect.element(page.getByText('This address is free.')).toBeVisible()
    await page.getByRole('radio', { name: 'Media hub' }).click()
    await page.getByLabelText(/^Tagline/).fill('Paperbacks by the sea')
    await page.getByLabelText(/^Rules/).fill('Bring back what you borrow.')
    await page.getByRole('radio', { name: 'A link' }).click()
    await field('Link').fill('https://books.example')
    await page.getByLabelText(/^Device that it runs on/).selectOptions('Harbour Pi')
    await saveButton.click()
    await expect.element(title).toHaveTextContent('What it looks like')
    await expect.element(title).toHaveFocus()
    expect(created.map(({ body }) => body)).toEqual([
      {
        name: 'Harbour Books',
        kind: 'media',
        tagline: 'Paperbacks by the sea',
        about: '',
        rules: 'Bring back what you borrow.',
        address: 'https://books.example/',
        carrier: pi.id,
        isRelayed: false,
        isHosted: false,
        slug: 'harbour-books',
      },
    ])
  })

  test('are sent with the relay and its device, and the form shows the visitors’ address', async () => {
    answerRelay()
    const pi = sampleDevice({ label: 'Harbour Pi' })
    answerOwnDevices(pi, sampleDevice({ label: 'Attic' }))
    const { created } = answerOwnIslands()
    await openBuilder()
    await name.fill('Harbour Books')
    await page.getByRole('radio', { name: 'Media hub' }).click()
    await page.getByRole('radio', { name: 'Through the relay' }).click()
    const form = page.getByRole('form', { name: 'Details' })
    await expect
      .element(form)
      .toMatchTextContent('Visitors open https://harbour-books.isles.example/')
    await expect.element(form).toMatchTextContent('also gets six random characters')
    await saveButton.click()
    const device = page.getByLabelText('Device that it runs on', { exact: true })
    await expect.element(device).toHaveFocus()
    expect(created).toEqual([])
    await device.selectOptions('Harbour Pi')
    await saveButton.click()
    await expect.element(title).toHaveTextContent('What it looks like')
    expect(created.map(({ body }) => body)).toEqual([
      expect.objectContaining({ address: null, carrier: pi.id, isRelayed: true }),
    ])
  })

  test('the relay selects the user’s only device', async () => {
    answerRelay()
    const pi = sampleDevice({ label: 'Harbour Pi' })
    answerOwnDevices(pi)
    answerOwnIslands()
    await openBuilder()
    await page.getByRole('radio', { name: 'Through the relay' }).click()
    await expect.element(field('Device that it runs on')).toHaveValue(pi.id)
  })

  test('name, device and relay from Connect are not asked for, but can be changed', async () => {
    answerRelay()
    const pi = sampleDevice({ label: 'Harbour Pi' })
    answerOwnDevices(pi, sampleDevice({ label: 'Attic' }))
    const { created } = answerOwnIslands()
    await openBuilder(`/new-island?device=${pi.id}&name=Harbour+Books`)
    const form = page.getByRole('form', { name: 'Details' })
    await expect.element(form).toMatchTextContent('It runs on Harbour Pi.')
    await expect.element(name).toHaveValue('Harbour Books')
    const relay = page.getByRole('radio', { name: 'Through the relay' })
    await expect.element(relay).not.toBeInTheDocument()
    await page.getByRole('button', { name: 'Choose another place' }).click()
    await expect.element(relay).toBeChecked()
    await expect.element(field('Device that it runs on')).toHaveValue(pi.id)
    await page.getByRole('radio', { name: 'Creative lab' }).click()
    await saveButton.click()
    await expect.element(title.first()).toHaveTextContent('What it looks like')
    expect(created.map(({ body }) => body)).toMatchObject([
      { name: 'Harbour Books', carrier: pi.id, isRelayed: true },
    ])
  })

  test('a device of another user in the address is ignored', async () => {
    answerRelay()
    answerOwnDevices(sampleDevice({ label: 'Attic' }))
    answerOwnIslands()
    await openBuilder('/new-island?device=gone')
    await expect.element(page.getByRole('radio', { name: 'Through the relay' })).toBeChecked()
  })

  test('a failed relay query can be retried', async () => {
    answerApi(getRelay, refused('rate_limited'))
    answerOwnDevices()
    answerOwnIslands()
    await openBuilder()
    await expect
      .element(page.getByText(/could not find out whether this server has a relay/))
      .toBeVisible()
    const way = page.getByRole('radio', { name: 'Through the relay' })
    await expect.element(way).not.toBeInTheDocument()
    answerRelay()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.element(way).toBeVisible()
    await expect.element(page.getByText(/could not be loaded/)).not.toBeInTheDocument()
  })

  test('the relay needs a device, and the form links to Connect without one', async () => {
    answerRelay()
    answerOwnDevices()
    answerOwnIslands()
    await openBuilder()
    await page.getByRole('radio', { name: 'Through the relay' }).click()
    await expect
      .element(page.getByRole('link', { name: 'Connect one' }))
      .toHaveAttribute('href', '/connect?for=hosting')
  })

  test('a typed slug no longer follows the name; a taken one says why', async () => {
    answerOwnIslands()
    await openBuilder()
    await name.fill('Harbour')
    await address.fill('The Lighthouse')
    await expect.element(address).toHaveValue(takenSlug)
    await expect.element(page.getByText(takenSentence)).toBeVisible()
    await name.fill('Harbour Books')
    await expect.element(address).toHaveValue(takenSlug)
    await address.fill('a')
    await expect.element(page.getByText(/^An address has 3 to 32/)).toBeVisible()
  })

  test('each missing field has an error, and the first gets the focus', async () => {
    const { created } = answerOwnIslands()
    answerOwnDevices()
    await openBuilder()
    await page.getByRole('radio', { name: 'A link' }).click()
    await saveButton.click()
    await expect.element(name).toHaveFocus()
    await expect.element(name).toHaveAccessibleDescription(/Give your island a name/)
    await expect.element(page.getByText('Choose what your island is.')).toBeVisible()
    await expect.element(field('Link')).toHaveAccessibleDescription(/Enter the link/)
    await name.fill('Harbour')
    await expect.element(page.getByText('Give your island a name.')).not.toBeInTheDocument()
    expect(created).toEqual([])
  })

  test('input survives a reload and a lost session until it is sent', async () => {
    answerOwnIslands()
    answerApi(createIsland, refused('signed_out'))
    await openBuilder()
    await name.fill('Harbour Books')
    await page.getByRole('radio', { name: 'Creative lab' }).click()
    await saveButton.click()
    await expect.element(page.getByRole('alert')).toMatchTextContent('You are signed out.')
    await cleanup()
    answerOwnIslands()
    await openBuilder()
    await expect.element(name).toHaveValue('Harbour Books')
    await expect.element(page.getByRole('radio', { name: 'Creative lab' })).toBeChecked()
    await saveButton.click()
    await expect.element(title).toHaveTextContent('What it looks like')
    await cleanup()
    answerOwnIslands()
    await openBuilder()
    await expect.element(name).toHaveValue('')
  })

  test('a refusal or a dropped connection is shown, and no input is lost', async () => {
    answerOwnIslands()
    answerApi(createIsland, refused('invalid_island', { tagline: 'Not that one.' }))
    await openBuilder()
    await name.fill('Harbour Books')
    await page.getByRole('radio', { name: 'Media hub' }).click()
    await saveButton.click()
    await expect
      .element(page.getByLabelText(/^Tagline/))
      .toHaveAccessibleDescription(/^Not that one\./)
    answerApi(createIsland, 'dropped')
    await saveButton.click()
    await expect.element(page.getByText(connectionFailed)).toBeVisible()
    await expect.element(name).toHaveValue('Harbour Books')
  })

  test('a remark says if only few visitors can open the link', async () => {
    answerOwnIslands()
    answerOwnDevices()
    await openBuilder()
    await page.getByRole('radio', { name: 'A link' }).click()
    await field('Link').fill('http://192.168.1.4:8080')
    await userEvent.tab()
    await expect
      .element(field('Link'))
      .toHaveAccessibleDescription(/Only people in the same network/)
  })
})

const pictured = () => sampleDraft({ id: 'one', slug: 'harbour-books-x7k2p9', picture: 7 })

describe('its picture', () => {
  const choices = page.getByRole('group', { name: 'Another picture' }).getByRole('radio')
  const goOn = page.getByRole('button', { name: 'Go on' })

  test('stays unless another one is chosen, and the choice survives a reload', async () => {
    const { updated } = answerOwnIslands(pictured())
    await openBuilder(stepPath('one', 'picture'))
    await expect.element(page.getByRole('radio', { name: 'The current picture' })).toBeChecked()
    expect(choices.elements()).toHaveLength(6)
    await page.getByRole('radio', { name: 'Picture 3' }).click()
    await page.getByRole('button', { name: 'Show me others' }).click()
    await expect.poll(() => choices.elements().length).toBe(7)
    await expect.element(page.getByRole('radio', { name: 'Picture 7' })).toBeChecked()
    await cleanup()
    answerOwnIslands(pictured())
    await openBuilder(stepPath('one', 'picture'))
    await expect.element(page.getByRole('radio', { name: 'Picture 3' })).toBeChecked()
    await page.getByRole('radio', { name: 'Picture 4' }).click()
    const [chosen] = pictureChoices('one', 0).slice(2)
    const sent = answerOwnIslands(pictured())
    await goOn.click()
    await expect.element(title.first()).toHaveTextContent('Who may come')
    expect(sent.updated.map(({ body }) => body)).toEqual([{ picture: chosen }])
    expect(updated).toEqual([])
  })

  test('stays chosen if it can’t be saved, with the reason', async () => {
    answerOwnIslands(pictured())
    answerApi(updateIsland, 'dropped')
    await openBuilder(stepPath('one', 'picture'))
    await page.getByRole('radio', { name: 'Picture 2' }).click()
    await goOn.click()
    await expect.element(page.getByRole('alert')).toHaveTextContent(connectionFailed)
    await expect.element(page.getByRole('radio', { name: 'Picture 2' })).toBeChecked()
  })
})

describe('the preview', () => {
  const preview = page.getByRole('complementary', { name: 'Preview' })

  test('describes the current choices, and is not open before publication', async () => {
    await page.viewport(1440, 900)
    answerRelay()
    const pi = sampleDevice({ label: 'Harbour Pi', status: 'online' })
    answerOwnDevices(pi)
    const { islands } = answerOwnIslands()
    await openBuilder()
    await name.fill('Harbour Books')
    await expect.element(preview).toMatchTextContent('/islands/harbour-books-••••••')
    await expect.element(preview).toMatchTextContent('Nowhere yet.')
    await expect.element(preview).toMatchTextContent('Not there yet')
    await expect.element(preview).toMatchTextContent('Only people that its host let in may enter.')
    await expect.element(preview).toMatchTextContent('It is in no list.')
    await page.getByRole('radio', { name: 'A link' }).click()
    await field('Link').fill('https://books.example')
    await expect.element(preview).toMatchTextContent('https://books.example')
    await expect.element(preview).toMatchTextContent('and then always counts as open')
    const card = preview.getByRole('article')
    await expect.element(card).toMatchTextContent('Closed')
    await page.getByRole('radio', { name: 'Through the relay' }).click()
    await expect.element(preview).toMatchTextContent('Closed until the agent runs on Harbour Pi.')
    await expect.element(preview).toMatchTextContent('https://harbour-books-••••••.isles.example/')
    await expect.element(card).not.toMatchTextContent('Open')
    expect(islands).toEqual([])
  })

  test('follows the draft’s door, picture and agent', async () => {
    await page.viewport(1440, 900)
    answerRelay()
    const pi = sampleDevice({ label: 'Harbour Pi' })
    answerOwnDevices(pi)
    const carrier = { id: pi.id, label: pi.label }
    const draft = sampleDraft({ id: 'one', isRelayed: true, carrier })
    answerOwnIslands(draft)
    await openBuilder(stepPath('one', 'publish'))
    await expect.element(preview).toMatchTextContent('/islands/harbour-books-x7k2p9')
    await expect.element(preview).toMatchTextContent('Closed until the agent runs on Harbour Pi.')
    await page.getByRole('radio', { name: 'For everybody' }).click()
    await expect.element(preview).toMatchTextContent('Anybody may enter, signed in or not.')
    await expect.element(preview).toMatchTextContent('Everybody can find it in Explore.')
    await expect.element(preview).toMatchTextContent('https://harbour-books.isles.example/')
    await address.fill('harbour-library')
    await expect.element(preview).toMatchTextContent('https://harbour-library.isles.example/')
    await cleanup()
    answerOwnIslands({ ...draft, isOpen: true, isWatched: true })
    await openBuilder(stepPath('one', 'picture'))
    await expect.element(preview).toMatchTextContent('Your island opens when you publish it.')
    // As chosen in the other step.
    await expect.element(preview).toMatchTextContent('Everybody can find it in Explore.')
    const drawn = () => preview.getByRole('article').element().querySelector('svg')?.innerHTML
    const before = drawn()
    await page.getByRole('radio', { name: 'Picture 2' }).click()
    await expect.poll(drawn).not.toBe(before)
  })
})

describe('publishing', () => {
  const draft = sampleDraft({ slug: 'harbour-books-x7k2p9' })
  const who = page.getByRole('region', { name: 'Who can do what' })
  const listing = page.getByRole('checkbox', { name: 'Let people find it in Explore' })

  test('is private by default and explains each choice', async () => {
    const { published } = answerOwnIslands({ ...draft })
    await openBuilder(stepPath(draft.id, 'publish'))
    await expect.element(page.getByRole('radio', { name: 'For members' })).toBeChecked()
    await expect.element(listing).not.toBeChecked()
    await expect
      .element(who)
      .toMatchTextContent('Everybody on the internetThey can’t see that it exists.')
    await expect.element(page.getByText(/It ends with six random characters/)).toBeVisible()
    await expect.element(address).not.toBeInTheDocument()
    await listing.click()
    await expect
      .element(who)
      .toMatchTextContent('Everybody on the internetThey can find it in Explore and read its page.')
    await expect.element(address).toHaveValue('harbour-books')
    await listing.click()
    await publishButton.click()
    await expect.element(title).toHaveTextContent('Your island is published')
    await expect.element(page.getByText(/is only for people that you invite/)).toBeVisible()
    await expect.element(title).toHaveFocus()
    await expect
      .element(page.getByRole('link', { name: 'Invite somebody' }))
      .toHaveAttribute('href', '/islands/harbour-books-x7k2p9/settings/invitations')
    expect(published.map(({ body }) => body)).toEqual([{ access: 'invited', isListed: false }])
  })

  test('for everybody lists the island at its plain address by default', async () => {
    const { published } = answerOwnIslands({ ...draft })
    await openBuilder(stepPath(draft.id, 'publish'))
    const isFound = page.getByRole('checkbox', { name: 'Let people find it in Explore' })
    await page.getByRole('radio', { name: 'For everybody' }).click()
    await expect.element(isFound).toBeChecked()
    await page.getByRole('radio', { name: 'For members' }).click()
    await expect.element(isFound).not.toBeChecked()
    await page.getByRole('radio', { name: 'For everybody' }).click()
    await address.fill('harbour-books-bay')
    await publishButton.click()
    await expect.element(title).toHaveTextContent('Your island is published')
    expect(published.map(({ body }) => body)).toEqual([
      { access: 'public', isListed: true, slug: 'harbour-books-bay' },
    ])
  })

  test('shows an error for a slug taken meanwhile; the choice survives a reload', async () => {
    answerOwnIslands({ ...draft })
    await openBuilder(stepPath(draft.id, 'publish'))
    await page.getByRole('radio', { name: 'For everybody' }).click()
    await address.fill(takenSlug)
    await publishButton.click()
    await expect.element(address).toHaveFocus()
    await expect.element(address).toHaveAccessibleDescription(/^Another island has this address\./)
    await cleanup()
    answerOwnIslands({ ...draft })
    await openBuilder(stepPath(draft.id, 'publish'))
    await expect.element(page.getByRole('radio', { name: 'For everybody' })).toBeChecked()
    await expect.element(address).toHaveValue(takenSlug)
  })

  test('reports a missing response and publishes nothing', async () => {
    const { islands } = answerOwnIslands({ ...draft })
    answerApi(publishIsland, 'dropped')
    await openBuilder(stepPath(draft.id, 'publish'))
    await publishButton.click()
    await expect.element(page.getByRole('alert')).toHaveTextContent(connectionFailed)
    expect(islands[0]?.publishedAt).toBeNull()
  })
})

describe('a return', () => {
  test('finds the drafts and can change one', async () => {
    const draft = sampleDraft({ name: 'Harbour Books', slug: 'harbour-books-x7k2p9' })
    const { updated } = answerOwnIslands(draft, sampleOwnIsland())
    await openBuilder('/new-island')
    const drafts = page.getByRole('region', { name: 'Drafts' })
    await expect.element(drafts).toBeVisible()
    expect(drafts.getByRole('link').elements()).toHaveLength(1)
    await drafts.getByRole('link', { name: 'Harbour Books' }).click()
    await expect.element(publishButton).toBeVisible()
    await page.getByRole('link', { name: 'Details' }).click()
    await expect.element(name).toHaveValue('Harbour Books')
    await expect.element(address).toHaveValue('harbour-books')
    await name.fill('Harbour Library')
    await saveButton.click()
    await expect.element(title).toHaveTextContent('What it looks like')
    expect(updated.map(({ body }) => body.name)).toEqual(['Harbour Library'])
  })

  test('to a missing draft gets a message', async () => {
    answerOwnIslands()
    await openBuilder(stepPath('gone', 'publish'))
    await expect.element(page.getByText('None of your islands has this address')).toBeVisible()
  })

  test('after the session ended can sign in', async () => {
    answerOwnIslands()
    answerApi(listOwnIslands, refused('signed_out'))
    await openBuilder(stepPath('some', 'publish'))
    await expect.element(page.getByText('You are signed out.')).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  })
})

test('full accounts read why there is no form', async () => {
  answerOwnIslands(...Array.from({ length: islandsPerUser }, () => sampleOwnIsland()))
  await openBuilder()
  await expect.element(page.getByText(/can’t host more than/)).toBeVisible()
  await expect.element(name).not.toBeInTheDocument()
})

test('axe finds no violations in any step', async () => {
  const draft = sampleDraft({ name: 'W'.repeat(64), slug: `${'w'.repeat(25)}-x7k2p9` })
  answerOwnIslands(draft)
  answerOwnDevices(sampleDevice({ label: 'W'.repeat(64) }))
  await openBuilder()
  await page.getByRole('radio', { name: 'A link' }).click()
  await saveButton.click()
  await expect.element(name).toHaveFocus()
  await expectAccessibleOnDesktop()
  await expectAccessible()
  for (const step of ['details', 'picture', 'publish']) {
    await cleanup()
    await openBuilder(stepPath(draft.id, step))
    await expect.element(title.first()).toBeVisible()
    await expectAccessible()
  }
  await page.getByRole('radio', { name: 'For everybody' }).click()
  await publishButton.click()
  await expect.element(title).toHaveTextContent('Your island is published')
  await expectAccessible()
})
