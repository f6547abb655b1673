import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { searchAmong } from '../../../domain/search.ts'
import { typedDate } from '../../../domain/typed-date.ts'
import { useSchool } from '../../ui/school.tsx'
import { useNextSteps } from '../../ui/undo/steps.ts'
import { commandsFor, typeCommandsFor } from './commands.ts'
import { dayEntry, daysNearby, instructorEntry, studentEntry } from './entries.ts'
import type { CommandEntry } from './entry.ts'
import type { Navigation } from './navigation.ts'

const MAX_SHOWN = 8

/** Returns the hits of a text, best first, or all commands. Not deferred, since Enter performs the first hit. */
export function useFound(text: string, navigation: Navigation): readonly CommandEntry[] {
  const school = useSchool()
  const { t, i18n } = useTranslation()
  const { undo, redo } = useNextSteps()
  const { commands, search } = useMemo(() => {
    const context = { navigation, school, t }
    const commanding = { navigation, t, i18n, school, next: { undo, redo } }
    const commands = commandsFor(commanding)
    const all = [
      ...school.students.map((student) => studentEntry(student, context)),
      ...school.instructors.map((instructor) => instructorEntry(instructor, context)),
      ...daysNearby(context),
      ...commands,
      ...typeCommandsFor(commanding),
    ]
    return { commands, search: searchAmong(all, ({ findable }) => findable, school.tenant.country) }
  }, [navigation, school, t, i18n, undo, redo])
  return useMemo(() => {
    if (text.trim() === '') return commands
    // The entries already include days in words, such as tomorrow.
    const typed = /\d/.test(text) && typedDate(text, { kind: 'coming', today: navigation.today })
    const written =
      typed && 'date' in typed ? [dayEntry(typed.date, { names: [] }, { navigation, school, t })] : []
    return [...written, ...search(text)].slice(0, MAX_SHOWN)
  }, [text, navigation, commands, search, school, t])
}
