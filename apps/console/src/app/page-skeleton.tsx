import { Skeleton, Stack } from '@mantine/core'

/** Before the first page is there: its shape, not a blank. */
export function PageSkeleton() {
  return (
    <Stack p="lg" gap="md" maw={1440} mx="auto" aria-busy>
      <Skeleton height={28} width={200} />
      <Skeleton height={120} />
      <Skeleton height={320} />
    </Stack>
  )
}
