import {
  ActionIcon,
  Alert,
  Badge,
  Button,
  Checkbox,
  DirectionProvider,
  Group,
  NumberInput,
  Progress,
  Radio,
  SegmentedControl,
  Select,
  SimpleGrid,
  Skeleton,
  Slider,
  Stack,
  Switch,
  Tabs,
  Textarea,
  TextInput,
} from '@mantine/core'
import { IconAlertTriangle, IconArrowRight, IconDots, IconInbox, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import type { ToastKind } from '../../platform/toaster.tsx'
import { toast } from '../../platform/toasts.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ConnectivityBadge } from '../../ui/connectivity-badge.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { Field, Fields } from '../../ui/detail/fields.tsx'
import { DateField } from '../../ui/dates/date-field.tsx'
import { TimeField } from '../../ui/dates/time-field.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Drawer, Menu, Popover, Tooltip } from '../../ui/overlay/overlays.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Panel } from '../../ui/panel.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { StatusBadge, type StatusTone } from '../../ui/status-badge.tsx'
import { StepBar } from '../../ui/steps/step-bar.tsx'
import { RtlLists, parts, words } from './rtl-lists.tsx'

/** Every component from right to left, whatever the language: docs/specification.md#2-screens-and-routes. */
export function RtlPage() {
  return (
    <DirectionProvider initialDirection="rtl" detectDirection={false}>
      <Stack gap="md" dir="rtl">
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
          <Buttons />
          <States />
          <Inputs />
          <Choices />
          <Overlays />
          <Facts />
        </SimpleGrid>
        <Steps />
        <RtlLists />
        <EmptyState icon={IconInbox} title={words.empty} text={words.text} />
      </Stack>
    </DirectionProvider>
  )
}

function Buttons() {
  return (
    <Panel title={parts.buttons}>
      <Group gap="xs">
        <Button leftSection={<IconPlus size={16} aria-hidden />}>{words.save}</Button>
        <Button variant="default">{words.cancel}</Button>
        <Button variant="light">{words.more}</Button>
        <Button
          variant="subtle"
          rightSection={<IconArrowRight size={16} className="fc-points" aria-hidden />}
        >
          {words.next}
        </Button>
        <Button color="red">{words.cancel}</Button>
        <Button disabled>{words.save}</Button>
        <Button loading>{words.save}</Button>
        <ActionIcon variant="default" size={36} aria-label={words.more}>
          <IconDots size={20} aria-hidden />
        </ActionIcon>
      </Group>
    </Panel>
  )
}

const tones: readonly StatusTone[] = ['good', 'late', 'down', 'none', 'paused', 'waiting']

function States() {
  return (
    <Panel title={parts.states}>
      <Stack gap="sm">
        <Group gap="md">
          {tones.map(tone => (
            <StatusBadge key={tone} tone={tone}>
              {words.title}
            </StatusBadge>
          ))}
          <ConnectivityBadge state="linklost" />
          <Badge variant="light">{words.more}</Badge>
        </Group>
        <Alert color="amber" icon={<IconAlertTriangle size={20} aria-hidden />}>
          {words.text}
        </Alert>
        <Alert color="red">{words.text}</Alert>
        <Progress value={35} aria-label={words.value} />
        <Skeleton height={16} width="60%" />
      </Stack>
    </Panel>
  )
}

const inPage = { withinPortal: false }
const options = [words.title, words.other]

function Inputs() {
  return (
    <Panel title={parts.inputs}>
      <Stack gap="sm">
        <TextInput label={words.name} description={words.text} defaultValue={words.other} />
        <TextInput label={words.name} error={words.text} />
        <TimeField label={words.value} value="08:30" />
        <DateField label={words.value} value="2026-11-22" />
        <NumberInput label={words.value} defaultValue={42} />
        <PasswordField label={words.value} autoComplete="new-password" field={{}} />
        <Textarea label={words.value} defaultValue={words.text} autosize />
        <Select
          label={words.name}
          data={options}
          defaultValue={words.title}
          comboboxProps={inPage}
          searchable
        />
      </Stack>
    </Panel>
  )
}

function Choices() {
  const format = useFormat()
  return (
    <Panel title={parts.choices}>
      <Stack gap="md">
        <Checkbox label={words.title} defaultChecked />
        <Radio.Group label={words.name} defaultValue="0">
          <Group gap="md" mt="xs">
            {options.map((label, index) => (
              <Radio key={label} value={String(index)} label={label} />
            ))}
          </Group>
        </Radio.Group>
        <Switch label={words.other} defaultChecked />
        <SegmentedControl aria-label={words.name} data={[words.save, words.cancel, words.more]} />
        <Slider
          mx="xs"
          mb="lg"
          defaultValue={30}
          thumbLabel={words.value}
          marks={[0, 50, 100].map(value => ({ value, label: format.percent(value / 100) }))}
        />
        <Tabs defaultValue="0">
          <Tabs.List aria-label={words.name}>
            {options.map((label, index) => (
              <Tabs.Tab key={label} value={String(index)}>
                {label}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        </Tabs>
      </Stack>
    </Panel>
  )
}

const kinds: readonly ToastKind[] = ['info', 'primary', 'danger', 'warning', 'success']

function Overlays() {
  const [open, setOpen] = useState<OpenDialog>(null)
  return (
    <Panel title={parts.overlays}>
      <Group gap="xs">
        <Menu position="bottom-end">
          <Menu.Target>
            <Button variant="default">{parts.menu}</Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconPlus size={16} aria-hidden />}>{words.title}</Menu.Item>
            <Menu.Item>{words.other}</Menu.Item>
          </Menu.Dropdown>
        </Menu>
        <Popover position="bottom-start">
          <Popover.Target>
            <Button variant="default">{parts.popover}</Button>
          </Popover.Target>
          <Popover.Dropdown aria-label={words.title}>{words.text}</Popover.Dropdown>
        </Popover>
        <Tooltip label={words.text}>
          <Button variant="default">{parts.tooltip}</Button>
        </Tooltip>
        <Button variant="default" onClick={() => setOpen('drawer')}>
          {parts.drawer}
        </Button>
        <Button variant="default" onClick={() => setOpen('dialog')}>
          {parts.dialog}
        </Button>
        {kinds.map(kind => (
          <Button
            key={kind}
            variant="default"
            onClick={() => void toast(kind, words.text, { title: words.title })}
          >
            {kind}
          </Button>
        ))}
      </Group>
      <Dialogs open={open} close={() => setOpen(null)} />
    </Panel>
  )
}

type OpenDialog = 'drawer' | 'dialog' | null

function Dialogs({ open, close }: { open: OpenDialog; close: () => void }) {
  const { t } = useTranslate()
  return (
    <>
      <Drawer
        opened={open === 'drawer'}
        onClose={close}
        position="right"
        title={words.title}
        dir="rtl"
        closeButtonProps={{ 'aria-label': t('close') }}
      >
        {words.text}
      </Drawer>
      <ConfirmDialog
        isOpen={open === 'dialog'}
        title={words.title}
        confirmLabel={words.save}
        cancelLabel={words.cancel}
        onConfirm={() => Promise.resolve()}
        onClose={close}
      >
        {words.text}
      </ConfirmDialog>
    </>
  )
}

function Facts() {
  const [page, setPage] = useState(2)
  return (
    <Panel title={parts.facts}>
      <Fields>
        <Field label={words.name}>{words.title}</Field>
        <Field label={words.value}>
          <bdi dir="ltr">{words.address}</bdi>
        </Field>
        <Field label={words.more}>{null}</Field>
        <Field label={words.name} isWide>
          {words.text}
        </Field>
      </Fields>
      <CopyField label={words.value} text={words.key} />
      <Pager label={words.more} page={page} size={10} total={45} onChange={setPage} />
    </Panel>
  )
}

function Steps() {
  const [current, setCurrent] = useState('1')
  return (
    <Panel title={parts.steps}>
      <StepBar
        label={words.title}
        steps={words.steps.map((label, index) => ({
          id: String(index),
          label,
          isVisited: index < 3,
          isFaulty: index === 2,
        }))}
        current={current}
        open={setCurrent}
      />
    </Panel>
  )
}
