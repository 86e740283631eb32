/** The heading that the button 'Categories' leads to. */
export const categoriesId = 'categories'
