import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import field from '../../ui/field.module.css'
import { Icon } from '../../ui/icon.tsx'
import { useIsStill } from '../../ui/use-is-still.ts'
import css from './command-bar.module.css'
import type { CommandAction, CommandEntry } from './entry.ts'
import { type PageCommands, useNavigation } from './navigation.ts'
import { useFound } from './use-found.ts'
import { WhereaboutsLine } from './whereabouts-line.tsx'

/** The pause in typing, in milliseconds, after which the lessons of the hits are fetched. */
const STILL_MS = 150

type CommandBarProps = PageCommands & { readonly onClose: () => void }

/** Finds people, days and commands. Enter performs the usual action; Tab leads to the others. */
export default function CommandBar({ onClose, ...page }: CommandBarProps) {
  const { t } = useTranslation()
  const navigation = useNavigation(page)
  const [typed, setTyped] = useState('')
  const found = useFound(typed, navigation)
  const [chosen, setChosen] = useState(0)
  const entry = found[Math.min(chosen, found.length - 1)]
  const list = useId()
  const perform = (action: CommandAction | undefined) => {
    onClose()
    if (action?.href === undefined) action?.act()
    else window.location.assign(action.href)
  }
  const isStill = useIsStill(typed, STILL_MS)
  const parts = { list, found, entry, isStill, onChoose: setChosen, onPerform: perform }
  const type = (text: string) => {
    setTyped(text)
    setChosen(0)
  }
  return (
    <Dialog title={t('bar.title')} onClose={onClose} size={620} yOffset="8dvh" padding="md">
      <Field {...parts} typed={typed} onType={type} />
      <EntryList {...parts} />
      <p className={css.count} role="status">
        {found.length > 0 ? typed.trim() !== '' && t('bar.found', { count: found.length }) : t('bar.none')}
      </p>
      {entry && entry.actions.length > 1 && <Actions entry={entry} onPerform={perform} />}
    </Dialog>
  )
}

type PartProps = {
  /** The id of the list. */
  readonly list: string
  readonly found: readonly CommandEntry[]
  readonly entry: CommandEntry | undefined
  /** Whether the typing has paused. */
  readonly isStill: boolean
  readonly onChoose: (index: number) => void
  readonly onPerform: (action: CommandAction | undefined) => void
}

type FieldProps = PartProps & { readonly typed: string; readonly onType: (text: string) => void }

/** Keeps the focus and handles all keys. */
function Field({ list, found, entry, typed, onType, onChoose, onPerform }: FieldProps) {
  const { t } = useTranslation()
  const chosen = entry ? found.indexOf(entry) : 0
  const press = (event: KeyboardEvent) => {
    const by = stepOf(event)
    if (by !== 0) {
      event.preventDefault()
      if (entry) onChoose((chosen + by + found.length) % found.length)
    }
    // Enter may also end the composition of a character.
    if (event.key === 'Enter' && !event.nativeEvent.isComposing && entry) onPerform(entry.actions[0])
  }
  return (
    <input
      className={`${field.field} ${css.input}`}
      role="combobox"
      aria-label={t('bar.placeholder')}
      aria-expanded
      aria-controls={list}
      aria-activedescendant={entry && optionId(list, chosen)}
      aria-autocomplete="list"
      placeholder={t('bar.placeholder')}
      autoComplete="off"
      spellCheck={false}
      data-autofocus
      value={typed}
      onChange={({ target }) => onType(target.value)}
      onKeyDown={press}
    />
  )
}

function optionId(list: string, index: number): string {
  return `${list}-${index}`
}

function stepOf({ key, altKey, ctrlKey, metaKey }: KeyboardEvent): number {
  if (altKey || ctrlKey || metaKey) return 0
  return key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0
}

/** Lists the hits. A click selects a hit with several actions, such as a person, and performs any other. */
function EntryList({ list, found, entry, isStill, onChoose, onPerform }: PartProps) {
  const { t } = useTranslation()
  const chosen = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls to the chosen entry
  useEffect(() => {
    chosen.current?.scrollIntoView({ block: 'nearest' })
  }, [entry])
  return (
    <div id={list} className={css.list} role="listbox" aria-label={t('bar.results')}>
      {found.map((one, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field keeps the focus and handles keys
        <div
          key={one.id}
          id={optionId(list, index)}
          ref={one === entry ? chosen : undefined}
          className={css.entry}
          role="option"
          tabIndex={-1}
          aria-selected={one === entry}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => (one.actions.length > 1 ? onChoose(index) : onPerform(one.actions[0]))}
        >
          <Icon name={one.icon} />
          <span className={css.label}>{one.label}</span>
          <span className={css.phone}>{one.hint ?? one.instructor?.phone}</span>
          <WhereaboutsLine entry={one} isFetched={isStill} />
        </div>
      ))}
    </div>
  )
}

type ActionsProps = { readonly entry: CommandEntry; readonly onPerform: (action: CommandAction) => void }

function Actions({ entry, onPerform }: ActionsProps) {
  return (
    <fieldset className={css.actions} aria-label={entry.label}>
      {entry.actions.map((action, index) => (
        <Button
          key={action.label}
          look={index === 0 ? 'primary' : 'plain'}
          {...(action.icon && { icon: action.icon })}
          onClick={() => onPerform(action)}
        >
          {action.label}
        </Button>
      ))}
    </fieldset>
  )
}
