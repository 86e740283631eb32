import { createCheck, listOwnChecks, runCheck } from '@astropelago/contract/checks'
import { listOwnDevices } from '@astropelago/contract/devices'
import { previewSchedule } from '@astropelago/contract/device-schedules'
import { listOwnIslands } from '@astropelago/contract/islands'
import { describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible, expectNoSidewaysScroll } from '../../test/accessibility.ts'
import { answerApi, refused } from '../../test/answer-api.ts'
import { holdTime } from '../../test/emulation.ts'
import { openScreen } from '../../test/open-screen.tsx'
import { sampleOwnIsland } from '../../test/sample-island.ts'
import { sampleDevice, sampleUser as user } from '../../test/samples.ts'
import { ago, answerOwnChecks, backup, sampleCheck } from './testing/answer-checks.ts'

const list = page.getByRole('list', { name: 'Your checks' })
const items = list.getByRole('listitem')
const names = () =>
  list
    .getByRole('heading', { level: 2 })
    .elements()
    .map((heading) => heading.textContent)
const dialog = page.getByRole('dialog')

async function openChecks(...checks: Parameters<typeof answerOwnChecks>) {
  const server = answerOwnChecks(...checks)
  await openScreen('/checks', { user })
  return server
}

describe('the list', () => {
  test('says what is watched and how it is, what is down first and why', async () => {
    await openChecks(
      sampleCheck({ name: 'Alpha', tookMs: 1240 }),
      sampleCheck({ name: 'Cellar', isPaused: true, status: 'unobserved' }),
      sampleCheck({
        name: 'Backup',
        target: backup,
        status: 'unobserved',
        since: null,
        checkedAt: null,
        tookMs: null,
      }),
      sampleCheck({
        name: 'Mail',
        target: { kind: 'tcp', host: 'mail.example', port: 25, periodS: 7200, timeoutS: 10 },
        status: 'down',
        since: ago(150),
        note: 'The connection was refused.',
        tookMs: null,
      }),
    )
    await expect.poll(names).toEqual(['Mail', 'Backup', 'Alpha', 'Cellar'])
    const [mail, waiting] = [items.nth(0), items.nth(1)]
    const [alpha, cellar] = [items.nth(2), items.nth(3)]
    await expect.element(mail).toMatchTextContent('Port · mail.example:25 · every 2 h')
    await expect.element(mail).toMatchTextContent('The connection was refused.Downfor 2 h 30 min')
    await expect
      .element(waiting)
      .toMatchTextContent('Reports by a script · every dayNot observedWaits for its first report')
    await expect
      .element(alpha)
      .toMatchTextContent(
        'Website · harbour.example/health · every minuteUpfor 1 h 30 min1.2 s1 minute ago',
      )
    await expect.element(cellar).toMatchTextContent('Paused')
    await expect.element(page.getByRole('link', { name: 'Mail' })).toBeVisible()
    const counts = page
      .getByRole('definition')
      .elements()
      .map((count) => count.textContent)
    expect(counts).toEqual(['1', '1', '1', '1'])
    await expect.poll(() => document.title).toBe('Checks · Astropelago')
    await expectAccessible()
  })

  test('of none says what checks are for, offers the first one, and to bring others', async () => {
    await openChecks()
    await expect.element(page.getByText('No checks yet')).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Import' })).toBeVisible()
    await expectAccessible()
    await page.getByRole('button', { name: 'Create your first check' }).click()
    await expect.element(dialog).toMatchTextContent('New check')
  })

  test('of two hundred is searched by name and target, and filtered by status, in its address', async () => {
    const many = Array.from({ length: 200 }, (_, index) =>
      sampleCheck({ name: `Buoy ${index}`, status: index % 50 === 0 ? 'down' : 'up' }),
    )
    await openChecks(...many)
    await expect.element(page.getByText('200 checks')).toBeVisible()
    await page.getByRole('combobox', { name: 'Status' }).selectOptions('Down')
    await expect.element(page.getByText('4 of 200 checks')).toBeVisible()
    expect(names()).toEqual(['Buoy 0', 'Buoy 50', 'Buoy 100', 'Buoy 150'])
    await page.getByRole('searchbox').fill('buoy 15')
    await expect.poll(names).toEqual(['Buoy 150'])
    await expect.poll(() => window.location.search).toBe('?q=buoy+15&status=down')
    await page.getByRole('searchbox').fill('nothing')
    await expect.element(page.getByText('Nothing here matches your search.')).toBeVisible()
  })

  test('of ten is not searched', async () => {
    await openChecks(...Array.from({ length: 10 }, () => sampleCheck()))
    await expect.element(items.nth(9)).toBeVisible()
    expect(page.getByRole('searchbox').length).toBe(0)
  })

  test('is polled every 30 s, and stays when that fails, with a retry', async () => {
    holdTime()
    const check = sampleCheck()
    const { listed } = await openChecks(check)
    await expect.element(items.first()).toMatchTextContent('Up')
    const before = listed.length
    Object.assign(check, { status: 'down' })
    await vi.advanceTimersByTimeAsync(30_000)
    await expect.element(items.first()).toMatchTextContent('Down')
    expect(listed.length).toBe(before + 1)
    answerApi(listOwnChecks, refused('too_large'))
    await vi.advanceTimersByTimeAsync(30_000)
    await expect.element(page.getByText(/^Your checks could not be updated/)).toBeVisible()
    await expect.element(items.first()).toBeVisible()
    answerOwnChecks(check)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.element(page.getByText(/^Your checks could not/)).not.toBeInTheDocument()
  })

  test('that does not come says so, with a retry', async () => {
    answerApi(listOwnChecks, 'dropped')
    await openScreen('/checks', { user })
    await expect.element(page.getByText('Your checks could not be loaded.')).toBeVisible()
    answerOwnChecks(sampleCheck())
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.element(items.first()).toBeVisible()
  })

  test('fits the narrowest screen, with the longest texts', async () => {
    await openChecks(sampleCheck({ name: 'W'.repeat(64), status: 'down', note: 'x'.repeat(250) }))
    await expect.element(items.first()).toBeVisible()
    await expectNoSidewaysScroll()
  })
})

describe('a new check', () => {
  const field = (name: string | RegExp) => dialog.getByRole('textbox', { name })
  const make = dialog.getByRole('button', { name: 'Create check' })

  async function openForm() {
    const server = await openChecks(sampleCheck())
    await page.getByRole('button', { name: 'New check' }).click()
    await expect.element(field('Address')).toBeVisible()
    return server
  }

  test('of a website needs its address alone, and is tried at once', async () => {
    const { made } = await openForm()
    await expectAccessible(dialog)
    await field('Address').fill('shop.example/buy')
    await expect.element(field(/^Name/)).toHaveAttribute('placeholder', 'shop.example')
    await userEvent.keyboard('{Enter}')
    await expect.element(dialog).toMatchTextContent('shop.example is ready')
    await expect.element(dialog).toMatchTextContent('It is checked every minute')
    expect(made.at(-1)?.body).toMatchObject({
      name: 'shop.example',
      target: { kind: 'http', url: 'https://shop.example/buy', periodS: 60, text: null },
      visibility: 'private',
      island: null,
      device: null,
    })
    answerApi(runCheck, {
      status: 200,
      body: { isUp: false, isSeen: true, tookMs: null, note: 'The name has no address.' },
    })
    await dialog.getByRole('button', { name: 'Try it now' }).click()
    await expect
      .element(dialog.getByText('It does not work. The name has no address.'))
      .toBeVisible()
    answerApi(runCheck, {
      status: 200,
      body: { isUp: true, isSeen: true, tookMs: 84.2, note: null },
    })
    await dialog.getByRole('button', { name: 'Try it now' }).click()
    await expect.element(dialog.getByText('It works: the answer took 84 ms.')).toBeVisible()
    await expectAccessible(dialog)
  })

  test('of a ping needs a device of one’s own, and nobody else sees it', async () => {
    answerApi(listOwnDevices, { status: 200, body: [sampleDevice({ id: 'pi', label: 'Pi' })] })
    const { made } = await openForm()
    await dialog.getByRole('radio', { name: 'Everybody' }).click()
    await dialog.getByRole('radio', { name: 'Ping' }).click()
    await field('Host').fill('printer.lan')
    await make.click()
    await expect.element(dialog.getByText('Choose a device.')).toBeVisible()
    await dialog.getByRole('combobox', { name: 'Runs from' }).selectOptions('Pi')
    await expect.element(dialog.getByText('Who sees it')).not.toBeInTheDocument()
    await expectAccessible(dialog)
    await make.click()
    await expect.element(dialog.getByText('--lend --check-lan 192.168.1.0/24:ping')).toBeVisible()
    expect(made.at(-1)?.body).toMatchObject({
      target: { kind: 'ping', host: 'printer.lan' },
      visibility: 'private',
      device: 'pi',
    })
  })

  test('says at each field what is wrong, and keeps what was typed', async () => {
    const { made } = await openForm()
    await make.click()
    await expect.element(dialog.getByText('Enter it.')).toBeVisible()
    await expect.element(field('Address')).toHaveFocus()
    await field('Address').fill('https://shop.example')
    await expect.element(dialog.getByText('Enter it.')).not.toBeInTheDocument()
    await dialog.getByText('More settings').click()
    await field('Good status codes').fill('fine')
    await make.click()
    await expect.element(dialog.getByText(/^Statuses are such as 200/)).toBeVisible()
    await field('Good status codes').fill('200, 401')
    await dialog.getByRole('combobox', { name: 'How often' }).selectOptions('Another time…')
    await field('How much time').fill('2')
    await dialog.getByRole('combobox', { name: 'Unit' }).selectOptions('seconds')
    await make.click()
    await expect.element(dialog.getByText(/^A period is 30 to/)).toBeVisible()
    await dialog.getByRole('combobox', { name: 'Unit' }).selectOptions('hours')
    answerApi(createCheck, refused('inside_address'))
    await make.click()
    await expect.element(field('Address')).toHaveAttribute('aria-invalid', 'true')
    answerApi(createCheck, refused('check_limit'))
    await make.click()
    await expect.element(dialog.getByRole('alert')).toMatchTextContent('Delete one first')
    await expect.element(field('Address')).toHaveValue('https://shop.example')
    answerApi(createCheck, refused('invalid_check', { 'target.statuses': 'Not these.' }))
    await make.click()
    await expect.element(dialog.getByText('Not these.')).toBeVisible()
    expect(made).toEqual([])
  })

  test.each([
    ['Port', { Host: 'game.example', Port: '27015' }, { kind: 'tcp', port: 27_015, periodS: 60 }],
    ['DNS record', { Host: 'sky.example' }, { kind: 'dns', record: 'A', value: null }],
    ['Certificate', { Host: 'sky.example' }, { kind: 'certificate', port: 443, periodS: 3600 }],
  ])('of a %s asks only for what that needs', async (kind, typed, target) => {
    const { made } = await openForm()
    await dialog.getByRole('radio', { name: kind }).click()
    expect(field('Address').length).toBe(0)
    for (const [name, text] of Object.entries(typed)) await field(name).fill(text)
    await make.click()
    await expect.poll(() => made.at(-1)?.body.target).toMatchObject(target)
  })

  test('of reports shows its address once, with commands to copy', async () => {
    const { made } = await openForm()
    await dialog.getByRole('radio', { name: 'Reports by a script' }).click()
    await make.click()
    await expect.element(field('Name')).toHaveFocus()
    await field('Name').fill('Backup')
    await dialog.getByRole('combobox', { name: 'How often it reports' }).selectOptions('Every day')
    await make.click()
    await expect.element(dialog).toMatchTextContent('It is shown only once')
    await expect
      .element(dialog.getByText('https://sky.example/ping/s3cret', { exact: true }))
      .toBeVisible()
    const curl = 'curl -fsS -m 10 --retry 5 -o /dev/null'
    await expect
      .element(dialog)
      .toMatchTextContent(`30 3 * * * /path/to/job && ${curl} https://sky.example/ping/s3cret`)
    await dialog.getByRole('tab', { name: 'With its exit code' }).click()
    await expect
      .element(dialog)
      .toMatchTextContent(`/path/to/job; ${curl} "https://sky.example/ping/s3cret/$?"`)
    expect(made.at(-1)?.body.target).toEqual({ kind: 'push', periodS: 86_400, graceS: 60 })
    await expectAccessible(dialog)
  })

  test('of a script expects it at the times of a cron expression in a time zone', async () => {
    answerApi(previewSchedule, { status: 200, body: { times: [] } })
    const { made } = await openForm()
    await dialog.getByRole('radio', { name: 'Reports by a script' }).click()
    await field('Name').fill('Backup')
    await dialog.getByRole('radio', { name: 'At certain times' }).click()
    const every = dialog.getByRole('combobox', { name: 'How often it reports' })
    await expect.element(every).not.toBeInTheDocument()
    const cron = dialog.getByRole('textbox', { name: 'Cron expression' })
    await cron.fill('30 25 * * *')
    await make.click()
    await expect.element(dialog).toMatchTextContent('Hours are from 0 to 23')
    await cron.fill('30 4 * * *')
    await dialog.getByRole('combobox', { name: 'Time zone' }).selectOptions('Europe/Berlin')
    await expectAccessible(dialog)
    await make.click()
    await expect.element(dialog).toMatchTextContent('30 4 * * * /path/to/job')
    const expected = { expression: '30 4 * * *', timeZone: 'Europe/Berlin' }
    expect(made.at(-1)?.body.target).toMatchObject({ kind: 'push', cron: expected })
    await dialog.getByRole('button', { name: 'Done' }).click()
    const often = 'Reports by a script · every day at 04:30 (Europe/Berlin)'
    await expect.element(page.getByText(often)).toBeVisible()
  })

  test('can open one’s own island with a link, and no other', async () => {
    const island = sampleOwnIsland({ name: 'Harbour Books' })
    const relayed = sampleOwnIsland({ name: 'Relayed', address: null })
    answerApi(listOwnIslands, { status: 200, body: [island, relayed] })
    const { made } = await openForm()
    const chosen = dialog.getByRole('combobox', { name: 'Your island' })
    await expect.element(chosen).toHaveTextContent('NoneHarbour Books')
    await expect
      .element(dialog.getByText('This island is open while the check is up.'))
      .toBeVisible()
    await chosen.selectOptions('Harbour Books')
    await field('Address').fill('books.example')
    await dialog.getByRole('radio', { name: 'Everybody' }).click()
    await make.click()
    await expect
      .poll(() => made.at(-1)?.body)
      .toMatchObject({ island: island.id, visibility: 'public' })
  })
})
