import { expect, it } from 'vitest'
import { STUDENT_COLUMNS } from '../domain/student-fields.ts'
import { STUDENT_FILE_COLUMNS } from './student-columns.ts'

it.each(['de', 'en'])('a file of students has a heading for each column in %s, each once', (language) => {
  const headings = STUDENT_FILE_COLUMNS.headings(language)
  expect(headings.filter((heading) => heading)).toHaveLength(STUDENT_COLUMNS.length)
  expect(new Set(headings).size).toBe(headings.length)
})
