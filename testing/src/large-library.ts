import { Client } from 'pg'

/**
 * Puts rows of media of ten to twenty seconds into the library of a server's one client. No file stands behind them:
 * for what lists and plans do with many.
 */
export async function fillMediaRows(
  superuserUrl: string,
  contentType: 'melodies' | 'ads',
  count: number,
): Promise<void> {
  const superuser = new Client({ connectionString: superuserUrl })
  await superuser.connect()
  try {
    await superuser.query(
      `with made as (
         insert into media_items (uid, client_id, content_type, name, original_name, created_at, changed_at)
         select gen_random_uuid(), c.uid, $1, $1 || ' ' || n, $1 || '-' || n || '.mp3', now(), now()
         from clients c, generate_series(1, $2::int) n returning uid, client_id)
       insert into media_files (media_uid, file_version, client_id, sha256, mime_type, size_bytes, duration_seconds,
         loudness_state, uploaded_at)
       select uid, 1, client_id, encode(sha256(uid::text::bytea), 'hex'), 'audio/mpeg', 100000,
         10 + (('x' || substr(uid::text, 1, 4))::bit(16)::int % 1000) / 100.0, 'not-measured', now()
       from made`,
      [contentType, count],
    )
    await superuser.query('analyze media_items, media_files')
  } finally {
    await superuser.end()
  }
}
