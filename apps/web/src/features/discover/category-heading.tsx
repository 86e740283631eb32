import { categoriesId } from './categories-id.ts'

/** Where the button 'Categories' leads, whichever way they are shown. */
export function CategoryHeading() {
  return (
    <h2
      id={categoriesId}
      tabIndex={-1}
      className="self-start rounded-mark text-title font-semibold outline-offset-4"
    >
      Categories
    </h2>
  )
}
