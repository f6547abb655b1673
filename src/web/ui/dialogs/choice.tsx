import { Combobox, TextInput, useCombobox } from '@mantine/core'
import { useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { searchIn } from '../find-people.ts'
import { useSchool } from '../school.tsx'
import css from './choice.module.css'
import { pressIn } from './choice-keys.ts'
import { type ChoiceState, type Option, useChoice } from './use-choice.ts'
import { focusWhole, selectWhole } from './whole-text.ts'

type ChoiceProps = {
  readonly label: string
  /** Whether only screen readers get the label. */
  readonly isLabelHidden?: boolean
  readonly placeholder?: string
  /** The effect of the choice, shown below the field. */
  readonly hint?: string
  readonly data: readonly Option[]
  readonly value: string | null
  /** Called with null only if it can be cleared. */
  readonly onChange: (value: string | null) => void
  /** Searches for a text, best hits first; by default in labels and codes. */
  readonly search?: (text: string) => readonly Option[]
  /** Called with the text at every keystroke, and with an empty one when an option is chosen or the text is reverted. */
  readonly onTyped?: (text: string) => void
  readonly onFocus?: () => void
  readonly nothingFound?: string
  /** Whether the field is optional and can be cleared. */
  readonly clearable?: boolean
  /** The label of the empty choice. */
  readonly clearWord?: string
  /** Whether it has the focus when its dialog opens. */
  readonly isFirst?: boolean
}

/**
 * Finds one of many options by typing. Enter or Tab takes the marked hit, at first the best; Escape reverts. A text without a
 * choice is an error and keeps the form from being sent.
 */
export function Choice(props: ChoiceProps) {
  const { data, value, onChange, onTyped, clearable = false } = props
  const { t } = useTranslation()
  const school = useSchool()
  const listId = useId()
  const search =
    props.search ??
    ((text) => searchIn(data, ({ label, code = '' }) => ({ names: [label, code] }), school)(text))
  const choice = useChoice({ data, value, search, isOptional: clearable, onChange, onTyped })
  const store = useCombobox({ opened: choice.isOpen, onDropdownClose: choice.close })
  return (
    <Combobox
      store={store}
      position="bottom-start"
      onOptionSubmit={(taken) => choice.hits.filter((one) => one.value === taken).forEach(choice.take)}
    >
      <Field {...props} choice={choice} listId={listId} />
      <Combobox.Dropdown className={css.dropdown ?? ''}>
        {choice.hits.length > 0 ? (
          <Hits label={props.label} choice={choice} listId={listId} />
        ) : (
          <Combobox.Empty id={listId} role="status">
            {props.nothingFound ?? t('choice.nothing')}
          </Combobox.Empty>
        )}
        {choice.more > 0 && <p className={css.more}>{t('choice.more', { count: choice.more })}</p>}
      </Combobox.Dropdown>
    </Combobox>
  )
}

type PartProps = { readonly label: string; readonly choice: ChoiceState; readonly listId: string }

function Field({ choice, listId, label, isLabelHidden = false, ...props }: ChoiceProps & PartProps) {
  const { t } = useTranslation()
  const { input, hits, marked, isOpen, isFaulty } = choice
  const fault = t('choice.open')
  useEffect(() => input.current?.setCustomValidity(isFaulty ? fault : ''), [input, isFaulty, fault])
  const hit = hits[marked]
  const isCleared = !props.clearable || props.value === null
  return (
    <Combobox.Target withKeyboardNavigation={false} withAriaAttributes={false}>
      <TextInput
        ref={input}
        {...(isLabelHidden ? { 'aria-label': label } : { label })}
        placeholder={props.placeholder ?? ''}
        description={props.hint}
        error={choice.isFaultShown && fault}
        role="combobox"
        autoComplete="off"
        aria-autocomplete="list"
        aria-required={!props.clearable}
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        aria-controls={isOpen ? listId : undefined}
        aria-activedescendant={hit && optionId(listId, hit)}
        data-autofocus={props.isFirst}
        value={choice.text}
        onChange={({ currentTarget }) => choice.type(currentTarget.value)}
        onFocus={({ currentTarget }) => {
          selectWhole(currentTarget)
          props.onFocus?.()
        }}
        onMouseDown={focusWhole}
        onClick={() => !isOpen && choice.open()}
        onKeyDown={(event) => pressIn(event, choice)}
        onInvalid={choice.complain}
        onBlur={choice.leave}
        rightSectionWidth={30}
        rightSectionPointerEvents={isCleared ? 'none' : 'all'}
        rightSection={isCleared ? <Combobox.Chevron /> : <Clear word={props.clearWord} choice={choice} />}
      />
    </Combobox.Target>
  )
}

function Clear({ word, choice }: { readonly word: string | undefined; readonly choice: ChoiceState }) {
  const { t } = useTranslation()
  return (
    <Combobox.ClearButton
      aria-hidden={false}
      aria-label={word ?? t('changes.clear')}
      onClear={choice.clear}
    />
  )
}

function Hits({ choice, listId, label }: PartProps) {
  const marked = choice.hits[choice.marked]
  return (
    <Combobox.Options id={listId} className={css.options ?? ''} aria-label={label}>
      {groupsOf(choice).map(({ group, hits }) => (
        <Combobox.Group key={group} label={group}>
          {hits.map((one) => (
            <Hit key={one.value} id={optionId(listId, one)} option={one} isMarked={one === marked} />
          ))}
        </Combobox.Group>
      ))}
    </Combobox.Options>
  )
}

type Group = { readonly group: string; readonly hits: readonly Option[] }

/** Groups the hits by heading; search hits keep their order. */
function groupsOf({ hits, isSearching }: ChoiceState): readonly Group[] {
  const groups = new Map<string, Option[]>()
  for (const hit of hits) {
    const group = isSearching ? '' : (hit.group ?? '')
    groups.set(group, [...(groups.get(group) ?? []), hit])
  }
  return Array.from(groups, ([group, members]) => ({ group, hits: members }))
}

function optionId(listId: string, { value }: Option): string {
  return `${listId}-${value}`
}

type HitProps = { readonly id: string; readonly option: Option; readonly isMarked: boolean }

function Hit({ id, option, isMarked }: HitProps) {
  const row = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isMarked) row.current?.scrollIntoView({ block: 'nearest' })
  }, [isMarked])
  return (
    <Combobox.Option
      ref={row}
      id={id}
      value={option.value}
      selected={isMarked}
      aria-selected={isMarked}
      className={css.option ?? ''}
    >
      {option.label}
      {option.hint && <span className={css.hint}>{option.hint}</span>}
    </Combobox.Option>
  )
}
