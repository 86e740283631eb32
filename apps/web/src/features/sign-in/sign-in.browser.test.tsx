import {
  demoLogin,
  getSignInOptions,
  passwordLogin,
  register,
} from '@astropelago/contract/accounts'
import { errors } from '@astropelago/contract/errors'
import { listIslands } from '@astropelago/contract/island-directory'
import type { IslandCard } from '@astropelago/contract/islands'
import { requestPasswordReset } from '@astropelago/contract/passwords'
import type { AnswerBody } from '@astropelago/contract/route'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '../../test/accessibility.ts'
import { answerApi, refused } from '../../test/answer-api.ts'
import { watchDepartures } from '../../test/departures.ts'
import { openPart, openScreen } from '../../test/open-screen.tsx'
import { sampleIsland } from '../../test/sample-island.ts'
import { sampleUser } from '../../test/samples.ts'
import { Header } from '../shell/header.tsx'
import { openSignIn } from '../../lib/open-sign-in.ts'
import { keepWayBack, readWayBack } from '../../lib/way-back.ts'
import { SignIn } from './sign-in.tsx'

const dialog = page.getByRole('dialog', { name: 'Sign in' })
const username = dialog.getByLabelText('Username')
const password = dialog.getByLabelText('Password')
const alert = dialog.getByRole('alert')
const button = {
  signIn: dialog.getByRole('button', { name: 'Sign in' }),
  register: dialog.getByRole('button', { name: 'Register' }),
  demo: dialog.getByRole('button', { name: 'Demo' }),
}

/** Opens the dialog from the address, without the page below it. */
const openDialog = () => openPart(<SignIn />, { path: '/explore?signin=1' })

async function typePair(name = 'someone', secret = 'a long passphrase') {
  await username.fill(name)
  await password.fill(secret)
}

async function expectTyped(name = 'someone', secret = 'a long passphrase') {
  await expect.element(username).toHaveValue(name)
  await expect.element(password).toHaveValue(secret)
}

/** Sets the server's sign-in options. Defaults to the usual ones. */
const offer = (offered: Partial<AnswerBody<typeof getSignInOptions>>) =>
  answerApi(getSignInOptions, {
    status: 200,
    body: { registration: 'open', isDemoOn: true, canSendMail: false, ...offered },
  })

async function openLostPassword() {
  offer({ canSendMail: true })
  await openDialog()
  await dialog.getByRole('button', { name: 'Lost your password?' }).click()
}

/** Gives all three ways to sign in the same response. */
function answerAll(reply: Response | 'dropped') {
  for (const route of [passwordLogin, register, demoLogin]) answerApi(route, reply)
}

describe('when it is open', () => {
  test('?signin=1 opens it for a visitor, and closing it removes the parameter', async () => {
    await openDialog()
    await expect.element(username).toHaveFocus()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await expect.element(dialog).not.toBeInTheDocument()
    expect(window.location.pathname + window.location.search).toBe('/explore')
  })

  test('?signin=1 opens nothing for a signed-in user', async () => {
    await openScreen('/explore?signin=1', { user: sampleUser })
    await page.getByRole('button', { name: 'Menu' }).click()
    await expect.element(page.getByRole('menu')).toMatchTextContent(/^Signed in as/)
    await expect.element(dialog).not.toBeInTheDocument()
  })

  test("the window's event 'open sign-in' opens it, without the parameter", async () => {
    await openPart(<SignIn />)
    await expect.element(dialog).not.toBeInTheDocument()
    window.dispatchEvent(new Event('open sign-in'))
    await expect.element(username).toHaveFocus()
    expect(window.location.search).toBe('')
  })
})

describe('the three ways in', () => {
  test('Sign in sends the pair, the username trimmed, the password as it was typed', async () => {
    const asked = answerApi(passwordLogin, { status: 200, body: { user: sampleUser } })
    const departures = watchDepartures()
    await openDialog()
    await typePair('  someone  ', '  a long passphrase  ')
    await button.signIn.click()
    await expect.poll(() => departures).toEqual([{ type: 'replace', to: '/explore' }])
    expect(asked).toMatchObject([
      { body: { username: 'someone', password: '  a long passphrase  ' } },
    ])
  })

  test('without the parameter a success reloads the page as it is', async () => {
    answerApi(register, { status: 201, body: { user: sampleUser } })
    const departures = watchDepartures()
    await openPart(<SignIn />, { path: '/?from=here' })
    window.dispatchEvent(new Event('open sign-in'))
    await typePair()
    await button.register.click()
    await expect.poll(() => departures).toEqual([{ type: 'reload', to: '/?from=here' }])
  })

  test('a user who pressed a guarded link reads why, and continues there', async () => {
    answerApi(register, { status: 201, body: { user: sampleUser } })
    const departures = watchDepartures()
    await openPart(<SignIn />, { path: '/explore' })
    openSignIn('/discover/signals')
    await expect.element(dialog).toMatchTextContent('Discover is for Navigators who are signed in.')
    await typePair()
    await button.register.click()
    await expect.poll(() => departures).toEqual([{ type: 'replace', to: '/discover/signals' }])
  })

  test('a user who left a page to sign in returns to it, once, even after closing the dialog', async () => {
    answerApi(register, { status: 201, body: { user: sampleUser } })
    const departures = watchDepartures()
    keepWayBack('/invitation#ABCDE')
    await openPart(<SignIn />, { path: '/explore' })
    window.dispatchEvent(new Event('open sign-in'))
    await expect.element(dialog).toMatchTextContent('An invitation is for one account.')
    await typePair()
    await button.register.click()
    await expect.poll(() => departures).toEqual([{ type: 'replace', to: '/invitation#ABCDE' }])
    expect(readWayBack()).toBeUndefined()
  })

  test.each([
    ['signIn', passwordLogin],
    ['register', register],
    ['demo', demoLogin],
  ] as const)('%s: while it waits all three are disabled and say so', async (way, route) => {
    const held = Promise.withResolvers<'dropped'>()
    answerApi(route, () => held.promise)
    await openDialog()
    await typePair()
    await button[way].click()
    for (const name of ['Signing in…', 'Creating…', 'Demo…']) {
      await expect.element(dialog.getByRole('button', { name })).toBeDisabled()
    }
    for (const resting of Object.values(button)) {
      await expect.element(resting).not.toBeInTheDocument()
    }
    held.resolve('dropped')
    await expect.element(button[way]).toBeEnabled()
    await expectTyped()
  })
})

describe('on the way to Discover', () => {
  const ahead = dialog.getByText('Sign in, and this is the first place you see.')

  test('the dialog begins with the lounge, and the sign-in leads to it', async () => {
    answerLounge([sampleIsland({ name: 'Community Lounge' })])
    answerApi(register, { status: 201, body: { user: sampleUser } })
    const departures = watchDepartures()
    await openScreen('/discover')
    await expect.element(ahead).toBeVisible()
    expect(window.location.pathname + window.location.search).toBe('/explore?signin=1')
    await expect.element(dialog.getByText('Community Lounge')).toBeVisible()
    await expect.element(dialog).toHaveAccessibleDescription(/^Community Lounge\s*Sign in, and/)
    await expectAccessible(dialog)
    await typePair()
    await button.register.click()
    await expect.poll(() => departures).toEqual([{ type: 'replace', to: '/discover' }])
  })

  test('also by the way back that the session keeps', async () => {
    answerLounge([sampleIsland()])
    keepWayBack('/discover?q=tea')
    await openDialog()
    await expect.element(ahead).toBeVisible()
  })

  test('nothing moves if there is no lounge, and none is promised', async () => {
    const held = Promise.withResolvers<void>()
    answerLounge([], held.promise)
    keepWayBack('/discover')
    await page.viewport(360, 900)
    await openDialog()
    await expect.element(username).toBeVisible()
    const before = dialog.element().clientHeight
    held.resolve()
    await expect.element(dialog).toMatchTextContent('Islands, devices and the routes')
    await expect.element(ahead).not.toBeInTheDocument()
    expect(dialog.element().clientHeight).toBe(before)
  })

  test.each(['/dashboard', '/discover/signals'])('to %s there is no lounge', async (path) => {
    const asked = answerApi(listIslands, refused('rate_limited'))
    await openPart(<SignIn />, { path: '/explore' })
    openSignIn(path)
    await expect.element(username).toBeVisible()
    expect(asked).toEqual([])
  })
})

describe('by keyboard', () => {
  test('open it from the menu, leave it, open it again, type, and sign in with Enter', async () => {
    answerApi(passwordLogin, { status: 200, body: { user: sampleUser } })
    const departures = watchDepartures()
    await openPart(
      <>
        <Header />
        <SignIn />
      </>,
      { path: '/explore' },
    )
    const menuButton = page.getByRole('button', { name: 'Menu' })
    for (const name of ['Astropelago', 'Home', 'Explore', 'Sign in', 'Menu']) {
      await userEvent.tab()
      expect(focused()).toHaveAccessibleName(name)
    }
    await openByKeyboard()
    await userEvent.keyboard('{Escape}')
    await expect.element(dialog).not.toBeInTheDocument()
    await expect.element(menuButton).toHaveFocus()

    await openByKeyboard()
    await userEvent.keyboard('someone')
    await userEvent.tab()
    await expect.element(password).toHaveFocus()
    await userEvent.keyboard('a long passphrase{Enter}')
    await expect.poll(() => departures).toEqual([{ type: 'reload', to: '/explore' }])
  })

  test('the focus stays inside, and what was typed stays when it is shown', async () => {
    await openDialog()
    await password.fill('a long passphrase')
    await dialog.getByRole('button', { name: 'Show password' }).click()
    await expect.element(password).toHaveAttribute('type', 'text')
    await expect.element(password).toHaveValue('a long passphrase')
    await dialog.getByRole('button', { name: 'Hide password' }).click()
    await expect.element(password).toHaveAttribute('type', 'password')

    await userEvent.click(username)
    for (let presses = 0; presses < 8; presses += 1) {
      await userEvent.tab()
      await expect.element(dialog).toContainElement(focused())
    }
  })
})

describe('what the form finds out by itself', () => {
  test.each(['signIn', 'register'] as const)(
    '%s sends nothing, and keeps the pair',
    async (way) => {
      await openDialog()
      for (const [name, secret, text, focusedField] of [
        ['', 'a long passphrase', 'Enter username and password', username],
        ['someone', '', 'Enter username and password', password],
        [
          'with space',
          'short',
          'Username must be 3-32 chars and use letters, numbers, _ or -',
          username,
        ],
        ['someone', 'seven77', 'Password must be at least 8 characters', password],
        ['someone', 'x'.repeat(129), 'Password must be at most 128 characters', password],
      ] as const) {
        await typePair(name, secret)
        await button[way].click()
        await expect.element(alert).toHaveTextContent(text)
        await expect.element(focusedField).toHaveFocus()
        await expectTyped(name, secret)
      }
    },
  )
})

describe('what the server refuses', () => {
  test('is shown at its field, which gets the focus', async () => {
    await openDialog()
    await typePair()
    for (const [code, text, field] of [
      ['username_taken', 'That username is already taken', username],
      ['common_password', 'That password is too easy to guess', password],
    ] as const) {
      answerApi(register, refused(code))
      await button.register.click()
      await expect.element(alert).toHaveTextContent(text)
      await expect.element(field).toHaveAccessibleDescription(text)
      await expect.element(field).toHaveFocus()
      await expectTyped()
    }
  })

  test.each([
    ['invalid_credentials', 'Incorrect username or password'],
    ['rate_limited', 'Too many tries. Wait a minute and try again.'],
  ] as const)('%s is an error of the whole form', async (code, text) => {
    answerApi(passwordLogin, refused(code))
    await openDialog()
    await typePair()
    await button.signIn.click()
    await expect.element(alert).toHaveTextContent(text)
    await expectTyped()
  })

  test('for unknown credentials, Enter offers to create the account from the input', async () => {
    answerApi(passwordLogin, refused('invalid_credentials'))
    await openDialog()
    await typePair()
    const create = dialog.getByRole('button', { name: 'Create this account' })
    expect(create.length).toBe(0)
    await userEvent.keyboard('{Enter}')
    await expect.element(alert).toHaveTextContent('Incorrect username or password')
    await expectAccessible(dialog)
    const asked = answerApi(register, refused('username_taken'))
    await create.click()
    await expect.element(dialog.getByText('That username is already taken')).toBeVisible()
    expect(asked).toMatchObject([{ body: { username: 'someone', password: 'a long passphrase' } }])
    expect(create.length).toBe(0)
    await expectTyped()
  })

  test('where demo sign-in is turned off, it says so', async () => {
    answerApi(demoLogin, refused('demo_off'))
    await openDialog()
    await button.demo.click()
    await expect.element(alert).toHaveTextContent(errors.demo_off.sentence)
  })

  test('under a name that the server does not go by, it says where to sign in and what to set', async () => {
    answerApi(passwordLogin, refused('cross_site'))
    answerApi(register, refused('cross_site'))
    answerApi(demoLogin, refused('cross_site'))
    await openDialog()
    await typePair()
    for (const each of Object.values(button)) {
      await each.click()
      const { origin } = window.location
      await expect
        .element(alert)
        .toHaveTextContent(
          `The address of this server is ${origin}: sign in there. Its operator can make ${origin} its address by the setting PUBLIC_URL.`,
        )
    }
    await expectTyped()
  })

  test('an answer that is not ours reads: Request failed: 502', async () => {
    answerAll(new Response('<h1>Bad gateway</h1>', { status: 502 }))
    await openDialog()
    await typePair()
    for (const each of Object.values(button)) {
      await each.click()
      await expect.element(alert).toMatchTextContent('Request failed: 502. Something went wrong.')
    }
  })

  test('a dropped connection says so, keeps what was typed, and can be retried', async () => {
    answerAll('dropped')
    const departures = watchDepartures()
    await openDialog()
    await typePair()
    await button.signIn.click()
    await expect.element(alert).toHaveTextContent('The connection failed. Check it and try again.')
    await button.demo.click()
    await expect.element(alert).toHaveTextContent('Demo sign-in failed')
    await expectTyped()

    answerApi(passwordLogin, { status: 200, body: { user: sampleUser } })
    await button.signIn.click()
    await expect.poll(() => departures).toHaveLength(1)
  })
})

describe('what this server offers', () => {
  const invite = dialog.getByLabelText('Invite')

  test('it is fetched when the dialog opens, not before', async () => {
    const asked = offer({})
    await openPart(<SignIn />)
    expect(asked).toEqual([])
    window.dispatchEvent(new Event('open sign-in'))
    await expect.poll(() => asked).not.toEqual([])
  })

  test('closed: the dialog says so, and offers no registration, nor demo where that is off', async () => {
    offer({ registration: 'closed', isDemoOn: false })
    await openDialog()
    await expect.element(dialog).toMatchTextContent(/Registration is closed on this server\./)
    expect(button.register.length).toBe(0)
    expect(button.demo.length).toBe(0)
    answerApi(passwordLogin, refused('invalid_credentials'))
    await typePair()
    await button.signIn.click()
    await expect.element(alert).toHaveTextContent('Incorrect username or password')
    expect(dialog.getByRole('button', { name: 'Create this account' }).length).toBe(0)
  })

  test('closed meanwhile: a registration is refused with the sentence', async () => {
    answerApi(register, refused('registration_closed'))
    await openDialog()
    await typePair()
    await button.register.click()
    await expect.element(alert).toHaveTextContent(errors.registration_closed.sentence)
  })

  test('by invite: Register asks for one, and sends it with the pair', async () => {
    offer({ registration: 'invite' })
    await openDialog()
    await expect.element(dialog).toMatchTextContent(/you need an invite from/)
    expect(invite.length).toBe(0)
    await typePair()
    await button.register.click()
    await expect.element(invite).toHaveFocus()
    await expect.element(invite).toHaveAccessibleDescription(/^You need an invite/)
    const asked = answerApi(register, refused('invalid_invite'))
    await invite.fill(' ABCDE-12345 ')
    await button.register.click()
    await expect.element(invite).toHaveAccessibleDescription(/^This invite is used up/)
    await expect.element(invite).toHaveFocus()
    const body = { username: 'someone', password: 'a long passphrase', invite: 'ABCDE-12345' }
    expect(asked).toMatchObject([{ body }])
    await expectTyped()
    await expectAccessible(dialog)
  })

  test('?invite= opens it with the invite in its field; signed in, the address is without it', async () => {
    offer({ registration: 'invite' })
    const asked = answerApi(register, { status: 201, body: { user: sampleUser } })
    const departures = watchDepartures()
    await openPart(<SignIn />, { path: '/explore?invite=ABCDE-12345' })
    await expect.element(invite).toHaveValue('ABCDE-12345')
    await expect.element(dialog).toMatchTextContent(/You are invited/)
    await typePair()
    // With an invite, Enter registers.
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => departures).toEqual([{ type: 'replace', to: '/explore' }])
    expect(asked).toMatchObject([{ body: { invite: 'ABCDE-12345' } }])
  })

  test('signing in sends no invite', async () => {
    offer({ registration: 'invite' })
    const asked = answerApi(passwordLogin, refused('invalid_credentials'))
    await openPart(<SignIn />, { path: '/?invite=ABCDE-12345' })
    await typePair()
    await button.signIn.click()
    await expect.element(alert).toHaveTextContent('Incorrect username or password')
    expect(asked).toMatchObject([{ body: { username: 'someone', password: 'a long passphrase' } }])
  })

  test('an answer that fails leaves the three ways in as they are', async () => {
    answerApi(getSignInOptions, 'dropped')
    await openDialog()
    for (const each of Object.values(button)) await expect.element(each).toBeEnabled()
  })
})

describe('a lost password', () => {
  const lost = page.getByRole('dialog', { name: 'Lost your password?' })
  const account = lost.getByLabelText('Username or e-mail address')
  const send = lost.getByRole('button', { name: 'E-mail me a link' })
  test('is reset by e-mail if the server sends e-mail', async () => {
    await openLostPassword()
    await expect.element(account).toHaveFocus()
    const asked = answerApi(requestPasswordReset, { status: 202 })
    await userEvent.keyboard('{Enter}')
    await expect.element(account).toHaveAccessibleDescription(/^Enter your username/)
    await account.fill('ada@example.org')
    await userEvent.keyboard('{Enter}')
    await expect.element(lost.getByRole('status')).toMatchTextContent(/works for 1 hour/)
    expect(asked).toMatchObject([{ body: { account: 'ada@example.org' } }])
    await expectAccessible(lost)
    await lost.getByRole('button', { name: 'Back to sign-in' }).click()
    await expect.element(username).toBeVisible()
  })

  test('a refusal and a dropped connection are reported, and the input stays', async () => {
    await openLostPassword()
    answerApi(requestPasswordReset, refused('rate_limited'))
    await account.fill('ada')
    await send.click()
    await expect.element(lost.getByRole('alert')).toHaveTextContent(errors.rate_limited.sentence)
    answerApi(requestPasswordReset, refused('mail_off'))
    await send.click()
    await expect.element(lost.getByRole('alert')).toHaveTextContent(errors.mail_off.sentence)
    answerApi(requestPasswordReset, 'dropped')
    await send.click()
    await expect.element(lost.getByRole('alert')).toMatchTextContent(/^The connection failed/)
    await expect.element(account).toHaveValue('ada')
  })

  test('without e-mail it takes a code from the operator, on a page of its own', async () => {
    offer({ canSendMail: false })
    await openDialog()
    await dialog.getByRole('button', { name: 'Lost your password?' }).click()
    await expect.element(lost).toMatchTextContent(/This server sends no e-mail/)
    expect(account.length).toBe(0)
    await expectAccessible(lost)
    const link = lost.getByRole('link', { name: 'I have a code' })
    await expect.element(link).toHaveFocus()
    await link.click()
    await expect.element(lost).not.toBeInTheDocument()
    expect(window.location.pathname + window.location.search).toBe('/reset-password')
  })
})

async function openByKeyboard() {
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('menu')).toContainElement(focused())
  await userEvent.keyboard('{End}')
  await expect.element(page.getByRole('menuitem', { name: 'Sign in' })).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(username).toHaveFocus()
}

function focused(): HTMLElement | null {
  return document.querySelector<HTMLElement>(':focus')
}

function answerLounge(islands: IslandCard[], held?: Promise<void>) {
  answerApi(listIslands, async ({ query }) => {
    await held
    const found = query.slug === 'thetravelerstavern' ? islands : []
    return { status: 200, body: { islands: found, total: found.length, next: null } }
  })
}
