import type { Page } from '@playwright/test'

/** The sign-in dialog, by role and name. */
export function signInForm(page: Page) {
  const dialog = page.getByRole('dialog', { name: 'Sign in' })
  return {
    dialog,
    username: dialog.getByLabel('Username'),
    password: dialog.getByLabel('Password', { exact: true }),
    signIn: dialog.getByRole('button', { name: 'Sign in' }),
    register: dialog.getByRole('button', { name: 'Register' }),
    demo: dialog.getByRole('button', { name: 'Demo' }),
    alert: dialog.getByRole('alert'),
  }
}

/** Opens the dialog on a public page by its URL. */
export async function openSignInForm(page: Page) {
  await page.goto('/explore?signin=1')
  const form = signInForm(page)
  await form.username.waitFor()
  return form
}
