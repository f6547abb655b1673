import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { searchAmong } from '../../../domain/search.ts'
import { typedDate } from '../../../domain/typed-date.ts'
import { useSchool } from '../../ui/school.tsx'
import { useNextSteps } from '../../ui/undo/steps.ts'
import { commandsFor } from './commands.ts'
import { comingDays, dayEntry, instructorEntry, studentEntry } from './entries.ts'
import type { Entry } from './entry.ts'
import type { Navigation } from './navigation.ts'

const MOST_SHOWN = 8

/** Returns the hits of a text, best first, or all commands. Not deferred, since Enter performs the first hit. */
export function useFound(text: string, navigation: Navigation): readonly Entry[] {
  const school = useSchool()
  const { t, i18n } = useTranslation()
  const { undo, redo } = useNextSteps()
  const { commands, search } = useMemo(() => {
    const context = { navigation, school, t }
    const commands = commandsFor({ navigation, t, i18n, role: school.user.role, next: { undo, redo } })
    const all = [
      ...school.students.map((student) => studentEntry(student, context)),
      ...school.instructors.map((instructor) => instructorEntry(instructor, context)),
      ...comingDays(context),
      ...commands,
    ]
    return { commands, search: searchAmong(all, ({ findable }) => findable, school.tenant.country) }
  }, [navigation, school, t, i18n, undo, redo])
  return useMemo(() => {
    if (text.trim() === '') return commands
    // Days named by words alone are among the entries.
    const typed = /\d/.test(text) && typedDate(text, { kind: 'coming', today: navigation.today })
    const written = typed && 'date' in typed ? [dayEntry(typed.date, [], { navigation, school, t })] : []
    return [...written, ...search(text)].slice(0, MOST_SHOWN)
  }, [text, navigation, commands, search, school, t])
}
