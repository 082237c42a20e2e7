-- The file that has waited longest is found without reading all that wait.
drop index media_files_pending;
create index media_files_pending on media_files (client_id, uploaded_at) where loudness_state = 'pending';
