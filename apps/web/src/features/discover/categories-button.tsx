import { Button } from '../../ui/button.tsx'
import { categoriesId } from './categories-id.ts'

/** Skips the search results and goes to the categories below them. */
export function CategoriesButton() {
  return (
    <Button variant="outline" size="lg" className="flex-1 sm:flex-none" onClick={showCategories}>
      Categories
    </Button>
  )
}

function showCategories(): void {
  document.getElementById(categoriesId)?.focus()
}
