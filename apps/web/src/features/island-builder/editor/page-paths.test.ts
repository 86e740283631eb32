import { expect, test } from 'vitest'
import { firstFile, foldersOf, pathProblem, tidyPath } from './page-paths.ts'

test('files stand in their folders, those at the top first', () => {
  expect(foldersOf(['pictures/b.png', 'index.html', 'pictures/a.png', 'a/b/c.css'])).toEqual([
    { name: '', files: [{ path: 'index.html', name: 'index.html' }] },
    { name: 'a/b/', files: [{ path: 'a/b/c.css', name: 'c.css' }] },
    {
      name: 'pictures/',
      files: [
        { path: 'pictures/a.png', name: 'a.png' },
        { path: 'pictures/b.png', name: 'b.png' },
      ],
    },
  ])
})

test.each([
  ['', 'Enter a name.'],
  ['pictures/', 'Enter a name after the folder.'],
  ['Index.html', 'There is a file with this name already.'],
  ['about.html', undefined],
])('%j is a path with the problem %j', (path, problem) => {
  expect(pathProblem(path, ['index.html'])).toBe(problem)
})

test('a path loses what people add to it', () => {
  expect(tidyPath(' /pictures/a.png ')).toBe('pictures/a.png')
})

test('index.html opens first', () => {
  expect(firstFile(['a.html', 'index.html'])).toBe('index.html')
  expect(firstFile(['a.html'])).toBe('a.html')
  expect(firstFile([])).toBeUndefined()
})
