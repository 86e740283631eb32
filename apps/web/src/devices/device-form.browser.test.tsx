import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { previewSchedule } from '@astropelago/contract/device-schedules'
import { answerApi } from '../test/answer-api.ts'
import { savedLocation } from '../lib/saved-location.ts'
import { expectAccessible } from '../test/accessibility.ts'
import { openPart } from '../test/open-screen.tsx'
import type { DraftedDevice } from './device-draft.ts'
import { DeviceForm } from './device-form.tsx'
import { deviceFormParts } from './testing/device-form-parts.ts'

const whole = page.getByRole('main')
const form = deviceFormParts(whole)
const submit = page.getByRole('button', { name: 'Save' })
const takeOver = page.getByRole('button', { name: 'Use my saved location' })

/** Opens the form. @returns the saved devices */
async function openForm(): Promise<readonly DraftedDevice[]> {
  const saved: DraftedDevice[] = []
  await openPart(
    <main>
      <DeviceForm
        save={async (details) => saved.push(details)}
        onSaved={() => undefined}
        explain={String}
        submitLabel="Save"
        busyLabel="Saving…"
      />
    </main>,
  )
  return saved
}

test('a field that is mended loses its error, the others keep theirs', async () => {
  await openForm()
  await submit.click()
  await expect.poll(() => form.alerts.length).toBe(3)
  await form.lat.fill('48.2')
  await expect.element(form.lat).not.toHaveAttribute('aria-invalid')
  await expect.element(form.lat).not.toHaveAccessibleDescription(/^Enter a number/)
  await expect.element(form.label).toHaveAccessibleDescription(/^Enter a label\./)
  await expect.element(form.lon).toHaveAccessibleDescription(/^Enter a number/)
})

describe('what the server would refuse', () => {
  test('is said when the field is left, not while one types, and goes as soon as it is mended', async () => {
    await openForm()
    await form.lat.click()
    await userEvent.keyboard('91')
    await expect.element(form.lat).toHaveValue('91')
    await expect.element(form.lat).not.toHaveAccessibleDescription(/-90 to 90/)
    await userEvent.tab()
    await expect
      .element(form.lat)
      .toHaveAccessibleDescription(/^Latitude is a number from -90 to 90/)
    await expect.element(form.lat).not.toHaveAttribute('aria-invalid')
    await form.lat.click()
    await userEvent.keyboard('{Backspace}')
    await expect.element(form.lat).toHaveValue('9')
    await expect.element(form.lat).not.toHaveAccessibleDescription(/-90 to 90/)
  })

  test('is sent all the same, as the server is the one to judge', async () => {
    const saved = await openForm()
    await form.enter({ label: 'Harbour Pi', lat: '91', lon: '0', link: 'http://192.168.1.20' })
    await submit.click()
    await expect.poll(() => saved).toMatchObject([{ lat: 91, link: 'http://192.168.1.20' }])
  })

  test('a link inside a private network says who can open it, without an error', async () => {
    await openForm()
    await form.link.fill('http://pi.local')
    await userEvent.tab()
    await expect
      .element(form.link)
      .toHaveAccessibleDescription(/^Only people in the same network can open this address\./)
    expect(form.alerts.length).toBe(0)
  })
})

describe('the saved location', () => {
  test('without one none is offered', async () => {
    await openForm()
    await expect.element(form.label).toBeVisible()
    await expect.element(takeOver).not.toBeInTheDocument()
  })

  test('is taken over, its label where none is typed; what it mends is no error any more', async () => {
    savedLocation.save({ label: 'Harbour Pi', lat: 54.323312, lon: -10.1 })
    const saved = await openForm()
    await form.enter({ label: 'Attic', lat: 'north', lon: '' })
    await submit.click()
    await expect.poll(() => form.alerts.length).toBe(2)
    await takeOver.click()
    await expect.element(form.alerts).not.toBeInTheDocument()
    expect(form.typed()).toMatchObject({ label: 'Attic', lat: '54.323312', lon: '-10.1' })
    await form.label.fill(' ')
    await takeOver.click()
    await expect.element(form.label).toHaveValue('Harbour Pi')
    await expectAccessible()
    await submit.click()
    await expect
      .poll(() => saved)
      .toMatchObject([{ label: 'Harbour Pi', lat: 54.323312, lon: -10.1 }])
  })
})

describe('how often it reports', () => {
  const period = page.getByLabelText('Reports every')
  const grace = page.getByLabelText('Grace period in minutes')
  const cron = page.getByLabelText('Cron expression')

  test('is as usual, unless one says otherwise', async () => {
    const saved = await openForm()
    await form.enter({ label: 'Harbour Pi', lat: '1', lon: '2' })
    await expect.element(page.getByRole('radio', { name: 'As usual' })).toBeChecked()
    expect(period.elements()).toEqual([])
    await submit.click()
    await expect.poll(() => saved.length).toBe(1)
    expect(saved[0]).not.toHaveProperty('schedule')
  })

  test('can be a period with a grace period', async () => {
    const saved = await openForm()
    await form.enter({ label: 'Harbour Pi', lat: '1', lon: '2' })
    await page.getByRole('radio', { name: 'Every so often' }).click()
    await period.fill('40')
    await page.getByLabelText('Unit').selectOptions('days')
    await submit.click()
    await expect.element(period).toHaveAccessibleDescription(/^Enter a time from 1 minute/)
    await period.fill('2')
    await grace.fill('90')
    await expectAccessible()
    await submit.click()
    const schedule = { kind: 'period', periodS: 172_800, graceS: 5400 }
    await expect.poll(() => saved).toMatchObject([{ schedule }])
  })

  test('can be a cron expression, whose next times are shown', async () => {
    const asked = answerApi(previewSchedule, {
      status: 200,
      body: { times: ['2031-01-01T04:30:00.000Z', '2032-01-02T04:30:00.000Z'] },
    })
    const saved = await openForm()
    await form.enter({ label: 'Harbour Pi', lat: '1', lon: '2' })
    await page.getByRole('radio', { name: 'At certain times' }).click()
    await cron.fill('30 4 * * mon')
    await page.getByLabelText('Time zone').selectOptions('America/New York')
    await expect.element(page.getByText(/2032/)).toBeVisible()
    const asking = { expression: '30 4 * * mon', timeZone: 'America/New_York' }
    expect(asked.at(-1)?.query).toEqual(asking)
    await cron.fill('30 24 * * mon')
    await expect.element(page.getByText(/2032/)).not.toBeInTheDocument()
    await submit.click()
    await expect.element(cron).toHaveAccessibleDescription(/Hours are from 0 to 23/)
    await cron.fill('30 4 * * mon')
    await expectAccessible()
    await submit.click()
    const schedule = { kind: 'cron', ...asking, graceS: 300 }
    await expect.poll(() => saved).toMatchObject([{ schedule }])
  })
})
