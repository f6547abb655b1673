import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Findable } from '../../../domain/search.ts'
import { findableOf, searchIn } from '../../ui/find-people.ts'
import { isCurrent, useSchool } from '../../ui/school.tsx'
import { useNextSteps } from '../../ui/undo/steps.ts'
import { commandsFor, typeCommandsFor } from './commands.ts'
import {
  daysNearby,
  findableVehicle,
  instructorEntry,
  studentEntry,
  vehicleEntry,
  writtenDays,
} from './entries.ts'
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
      ...[...school.students, ...[...school.student.values()].filter((one) => !isCurrent(one))].map(
        (one) => ({
          findable: findableOf(one),
          entry: () => studentEntry(one, context),
        }),
      ),
      ...school.instructors.map((one) => ({
        findable: findableOf(one),
        entry: () => instructorEntry(one, context),
      })),
      ...school.vehicles.map((one) => ({
        findable: findableVehicle(one, t),
        entry: () => vehicleEntry(one, context),
      })),
      ...others.map((one) => ({ findable: one.findable, entry: () => one })),
    ]
    return { commands, search: searchIn(all, ({ findable }) => findable, school) }
  }, [navigation, school, t, i18n, undo, redo])
  return useMemo(() => {
    if (text.trim() === '') return commands
    const context = { navigation, school, t }
    const written = writtenDays(text, navigation.today, context)
    const known = new Set(written.map(({ id }) => id))
    const found = search(text)
      .slice(0, MAX_SHOWN)
      .map(({ entry }) => entry())
    return [...written, ...found.filter(({ id }) => !known.has(id))].slice(0, MAX_SHOWN)
  }, [text, navigation, commands, search, school, t])
}
