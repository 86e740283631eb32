import { locationParts } from './harness/location-parts.ts'
import { expect, test } from './harness/test.ts'

test.beforeEach(({ user: _user }) => {
  // Signed in: the Observatory is behind the guard.
})

test.describe('where the browser may tell its place', () => {
  test.use({
    permissions: ['geolocation'],
    geolocation: { latitude: -33.85681234, longitude: 151.21531987, accuracy: 12 },
  })

  test('Use current location saves it at once, with six decimals', async ({ page }) => {
    const panel = locationParts(page)
    await panel.open()
    await panel.label.fill('Opera house')
    await panel.locate.click()
    await expect(panel.message).toHaveText('Saved current location')
    expect(await panel.typed()).toEqual({
      label: 'Opera house',
      lat: '-33.856812',
      lon: '151.21532',
    })
    expect(await panel.stored()).toMatchObject({
      'label.v1': 'Opera house',
      'place.v1': { lat: -33.856812, lon: 151.21532 },
    })
    await expect(panel.toggle).toContainText('Opera house · -33.857, 151.215')
  })

  test('a device that moves is found anew each time, as exactly as the browser can', async ({
    page,
    context,
  }) => {
    const panel = locationParts(page)
    await panel.open()
    await panel.locate.click()
    await expect(panel.lat).toHaveValue('-33.856812')
    await context.setGeolocation({ latitude: 1e-7, longitude: -180 })
    await panel.locate.click()
    await expect(panel.lat).toHaveValue('0')
    await expect(panel.lon).toHaveValue('-180')
  })
})

test('where the visitor refuses, that is said and what was typed stays', async ({ page }) => {
  // A permission that the test does not give is refused.
  const panel = locationParts(page)
  await panel.open()
  await panel.enter('Attic', '54.3', '10')
  await panel.locate.click()
  await expect(panel.message).toContainText('Your browser did not allow it.')
  expect(await panel.typed()).toEqual({ label: 'Attic', lat: '54.3', lon: '10' })
  expect(await panel.stored()).toEqual({})
  await panel.save.click()
  await expect(panel.message).toHaveText('Saved')
})

test('where the browser knows no geolocation, that is said', async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, 'geolocation', { value: undefined })
  })
  const panel = locationParts(page)
  await panel.open()
  await panel.locate.click()
  await expect(panel.message).toHaveText('Geolocation not available')
})

test.describe('a place that is long in coming', () => {
  test.beforeEach(async ({ page }) => {
    await page.clock.install()
    // A browser that never finds itself, and keeps to the time it is given.
    await page.addInitScript(() => {
      Geolocation.prototype.getCurrentPosition = (_found, failed, options) => {
        document.documentElement.dataset['asked'] = JSON.stringify(options)
        const refuse = () => failed?.(timeout)
        const timeout: GeolocationPositionError = {
          code: 3,
          message: 'Timeout expired',
          PERMISSION_DENIED: 1,
          POSITION_UNAVAILABLE: 2,
          TIMEOUT: 3,
        }
        setTimeout(refuse, options?.timeout)
      }
    })
    await locationParts(page).open()
    // From here on time stands still until the test moves it.
    await page.clock.pauseAt('2100-01-01')
  })

  test('is given up after ten seconds, and can be tried again', async ({ page }) => {
    const panel = locationParts(page)
    const locating = panel.form.getByRole('button', { name: 'Locating…' })
    await panel.label.fill('Attic')
    await panel.locate.click()
    await expect(locating).toBeDisabled()
    expect(JSON.parse((await page.locator('html').getAttribute('data-asked')) ?? '')).toEqual({
      enableHighAccuracy: true,
      timeout: 10_000,
      maximumAge: 0,
    })
    await page.clock.fastForward(9_900)
    await expect(locating).toBeVisible()
    await page.clock.fastForward(200)
    await expect(panel.message).toContainText('took more than 10 seconds')
    await expect(panel.label).toHaveValue('Attic')
    await panel.locate.click()
    await expect(locating).toBeVisible()
  })

  test('does not overrule what is typed or saved meanwhile', async ({ page }) => {
    const panel = locationParts(page)
    await panel.locate.click()
    await panel.enter('Attic', '54.3', '10')
    await expect(panel.locate).toBeEnabled()
    await panel.save.click()
    await page.clock.fastForward(10_100)
    await expect(panel.message).toHaveText('Saved')
    expect(await panel.typed()).toEqual({ label: 'Attic', lat: '54.3', lon: '10' })
  })
})
