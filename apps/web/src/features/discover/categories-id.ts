/** The id of the heading that the 'Categories' button links to. */
export const categoriesId = 'categories'
