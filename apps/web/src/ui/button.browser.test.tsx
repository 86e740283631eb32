import { useState } from 'react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { openPart } from '../test/open-screen.tsx'
import { Button } from './button.tsx'
import { Input } from './input.tsx'

const save = page.getByRole('button', { name: 'Save' })
const times = page.getByRole('status')

/** A form whose save never finishes. */
function Saving() {
  const [count, setCount] = useState(0)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        setCount(count + 1)
      }}
    >
      <Input aria-label="Name" />
      <Button type="submit" busy={count > 0} disabled={count > 0}>
        Save
      </Button>
      <output>{count}</output>
    </form>
  )
}

test('a busy button keeps the focus and ignores presses and Enter', async () => {
  await openPart(<Saving />)
  await save.click()
  await expect.element(save).toHaveAttribute('aria-disabled', 'true')
  await expect.element(save).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await save.click({ force: true })
  await page.getByLabelText('Name').click()
  await userEvent.keyboard('{Enter}')
  await expect.element(times).toHaveTextContent('1')
})
