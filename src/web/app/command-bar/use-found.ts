import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type Findable, searchAmong } from '../../../domain/search.ts'
import { typedDate } from '../../../domain/typed-date.ts'
import { findableOf } from '../../ui/find-people.ts'
import { useSchool } from '../../ui/school.tsx'
import { useNextSteps } from '../../ui/undo/steps.ts'
import { commandsFor, typeCommandsFor } from './commands.ts'
import { dayEntry, daysNearby, instructorEntry, studentEntry } from './entries.ts'
import type { CommandEntry } from './entry.ts'
import type { Navigation } from './navigation.ts'

const MAX_SHOWN = 8

/** An item of the search. Its entry is made only when it is shown, because a school has thousands of people. */
type Candidate = { readonly findable: Findable; readonly entry: () => CommandEntry }

/** Returns the hits of a text, best first, or all commands. Not deferred, since Enter performs the first hit. */
export function useFound(text: string, navigation: Navigation): readonly CommandEntry[] {
  const school = useSchool()
  const { t, i18n } = useTranslation()
  const { undo, redo } = useNextSteps()
  const { commands, search } = useMemo(() => {
    const context = { navigation, school, t }
    const commanding = { navigation, t, i18n, school, next: { undo, redo } }
    const commands = commandsFor(commanding)
    const others = [...daysNearby(context), ...commands, ...typeCommandsFor(commanding)]
    const all: readonly Candidate[] = [
      ...school.students.map((one) => ({
        findable: findableOf(one),
        entry: () => studentEntry(one, context),
      })),
      ...school.instructors.map((one) => ({
        findable: findableOf(one),
        entry: () => instructorEntry(one, context),
      })),
      ...others.map((one) => ({ findable: one.findable, entry: () => one })),
    ]
    return { commands, search: searchAmong(all, ({ findable }) => findable, school.tenant.country) }
  }, [navigation, school, t, i18n, undo, redo])
  return useMemo(() => {
    if (text.trim() === '') return commands
    // The entries already include days in words, such as tomorrow.
    const typed = /\d/.test(text) && typedDate(text, { kind: 'coming', today: navigation.today })
    const written =
      typed && 'date' in typed ? [dayEntry(typed.date, { names: [] }, { navigation, school, t })] : []
    const found = search(text).slice(0, MAX_SHOWN)
    return [...written, ...found.map(({ entry }) => entry())].slice(0, MAX_SHOWN)
  }, [text, navigation, commands, search, school, t])
}
