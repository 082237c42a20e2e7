-- The file that has waited longest comes without reading all that wait: an import of 20,000 files cost 10 ms a file.
drop index media_files_pending;
create index media_files_pending on media_files (client_id, uploaded_at) where loudness_state = 'pending';
